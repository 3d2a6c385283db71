/**
 * The queue before every read of the CRM (RULES PL9, OR4; decisions/scheduler). The next read is the oldest
 * one of the most urgent priority that has a free place:
 *
 *     send        ─→ begins at once: the send queue's lock admits one at a time
 *     screen      ─┐
 *     window      ─┼─→ 4 places; at most 3 for window and background together, at most 2 for background
 *     background  ─┘
 *
 * So one place is always free for a screen, and no read waits while its places are free.
 */
import { READS_AT_ONCE } from '#schemas/limits.ts'

/** Priorities that share the places. A `send` read needs no place. */
const SHARED = ['screen', 'window', 'background'] as const
export const PRIORITIES = ['send', ...SHARED] as const
export type ReadPriority = (typeof PRIORITIES)[number]

/** How many reads of this priority and lower ones may run at once. */
export type Places = Readonly<Record<(typeof SHARED)[number], number>>

export const PLACES: Places = {
  screen: READS_AT_ONCE,
  window: READS_AT_ONCE - 1,
  background: 2,
}

/** A queued read. */
export interface Read {
  id: number
  priority: ReadPriority
}

/** Both lists in order of arrival. */
export interface ReadQueue {
  waiting: readonly Read[]
  running: readonly Read[]
}

export const EMPTY_QUEUE: ReadQueue = { waiting: [], running: [] }

const rank = (priority: ReadPriority) => PRIORITIES.indexOf(priority)

/** True if one more read of this priority may run. */
function hasRoom({ running }: ReadQueue, priority: ReadPriority, places: Places): boolean {
  const hasFreePlace = (level: keyof Places) =>
    running.filter((read) => rank(read.priority) >= rank(level)).length < places[level]
  return SHARED.slice(0, rank(priority)).every(hasFreePlace)
}

/** The read to start next; null if none may start. */
export function nextRead(queue: ReadQueue, places: Places = PLACES): Read | null {
  for (const priority of PRIORITIES) {
    const first = queue.waiting.find((read) => read.priority === priority)
    if (first && hasRoom(queue, priority, places)) return first
  }
  return null
}

export const withQueued = ({ waiting, running }: ReadQueue, read: Read): ReadQueue => ({
  waiting: [...waiting, read],
  running,
})

export const withStarted = (queue: ReadQueue, read: Read): ReadQueue => ({
  waiting: queue.waiting.filter(({ id }) => id !== read.id),
  running: [...queue.running, read],
})

/** Removes a read that has ended or is no longer wanted. */
export const withoutRead = ({ waiting, running }: ReadQueue, id: number): ReadQueue => ({
  waiting: waiting.filter((read) => read.id !== id),
  running: running.filter((read) => read.id !== id),
})

/** How a read is queued. */
export interface ReadOptions {
  priority: ReadPriority
  /** Aborted: the read does not begin; one that has begun continues. */
  signal?: AbortSignal
}

/** Creates a function that runs reads in the order of the queue. */
export function createReadQueue(places: Places = PLACES) {
  let queue = EMPTY_QUEUE
  let ids = 0
  const starters = new Map<number, () => void>()
  const advance = () => {
    for (let next = nextRead(queue, places); next; next = nextRead(queue, places)) {
      queue = withStarted(queue, next)
      starters.get(next.id)?.()
    }
  }
  /** @throws the signal's reason if it was aborted before the read began */
  const admission = (id: number, { priority, signal }: ReadOptions) =>
    new Promise<void>((resolve, reject) => {
      const abort = () => reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      starters.set(id, () => {
        // One signal may be used for many reads.
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      queue = withQueued(queue, { id, priority })
      advance()
    })
  return async <T>(options: ReadOptions, read: () => Promise<T>): Promise<T> => {
    const id = (ids += 1)
    try {
      options.signal?.throwIfAborted()
      await admission(id, options)
      return await read()
    } finally {
      starters.delete(id)
      queue = withoutRead(queue, id)
      advance()
    }
  }
}
