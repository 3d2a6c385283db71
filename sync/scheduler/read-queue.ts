/**
 * The queue before every read of the CRM (RULES PL9, OR4; decisions/scheduler). The most urgent read that has waited
 * longest goes next, if its kind has a free place:
 *
 *     send        ─→ leaves at once: the lock of the queue is held meanwhile, and there is one at a time
 *     screen      ─┐
 *     window      ─┼─→ 4 places; at most 3 for window and background together, at most 2 for background
 *     background  ─┘
 *
 * So one place is always left for what a screen asks for, and nothing waits while its places are free.
 */
import { READS_AT_ONCE } from '#schemas/limits.ts'

/** Those that share the places; a read to send takes none. */
const SHARED = ['screen', 'window', 'background'] as const
export const PRIORITIES = ['send', ...SHARED] as const
export type ReadPriority = (typeof PRIORITIES)[number]

/** How many reads of this priority and of all below it may run at once. */
export type Places = Readonly<Record<(typeof SHARED)[number], number>>

export const PLACES: Places = {
  screen: READS_AT_ONCE,
  window: READS_AT_ONCE - 1,
  background: 2,
}

export interface Read {
  id: number
  priority: ReadPriority
}

/** Both in the order of arrival. */
export interface ReadQueue {
  waiting: readonly Read[]
  running: readonly Read[]
}

export const EMPTY_QUEUE: ReadQueue = { waiting: [], running: [] }

const rank = (priority: ReadPriority) => PRIORITIES.indexOf(priority)

/** Whether one more of this priority may run: its own places and those it shares with the more urgent allow it. */
function fits({ running }: ReadQueue, priority: ReadPriority, places: Places): boolean {
  const hasFreePlace = (level: keyof Places) =>
    running.filter((read) => rank(read.priority) >= rank(level)).length < places[level]
  return SHARED.slice(0, rank(priority)).every(hasFreePlace)
}

/** The read that leaves next; null where none may. */
export function nextRead(queue: ReadQueue, places: Places = PLACES): Read | null {
  for (const priority of PRIORITIES) {
    const first = queue.waiting.find((read) => read.priority === priority)
    if (first && fits(queue, priority, places)) return first
  }
  return null
}

export const joined = ({ waiting, running }: ReadQueue, read: Read): ReadQueue => ({
  waiting: [...waiting, read],
  running,
})

export const begun = (queue: ReadQueue, read: Read): ReadQueue => ({
  waiting: queue.waiting.filter(({ id }) => id !== read.id),
  running: [...queue.running, read],
})

/** It ended, or nobody wants it any more. */
export const left = ({ waiting, running }: ReadQueue, id: number): ReadQueue => ({
  waiting: waiting.filter((read) => read.id !== id),
  running: running.filter((read) => read.id !== id),
})

/** How a read goes: what waits for it, and whether it is still wanted when its turn comes. */
export interface ReadOptions {
  priority: ReadPriority
  /** Aborted: it does not leave any more; one that has left goes on. */
  signal?: AbortSignal
}

/** Runs reads in the order of the queue. */
export function createReadQueue(places: Places = PLACES) {
  let queue = EMPTY_QUEUE
  let ids = 0
  const go = new Map<number, () => void>()
  const advance = () => {
    for (let next = nextRead(queue, places); next; next = nextRead(queue, places)) {
      queue = begun(queue, next)
      go.get(next.id)?.()
    }
  }
  /** @throws the signal's reason where it was aborted before its turn */
  const turn = (id: number, { priority, signal }: ReadOptions) =>
    new Promise<void>((resolve, reject) => {
      const abort = () => reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      go.set(id, () => {
        // one signal may go through many reads
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      queue = joined(queue, { id, priority })
      advance()
    })
  return async <T>(way: ReadOptions, read: () => Promise<T>): Promise<T> => {
    const id = (ids += 1)
    try {
      way.signal?.throwIfAborted()
      await turn(id, way)
      return await read()
    } finally {
      go.delete(id)
      queue = left(queue, id)
      advance()
    }
  }
}
