/**
 * The write-behind queue of the HTTP cache. Writes wait half a second and share one transaction. Of several
 * writes for one URL the last one counts. Waiting entries are readable from here.
 */
import type { Waiting } from './answer-cache-rows.ts'

/**
 * How long a write waits so that several share one transaction, which costs as much as its contents
 * (decisions/pull).
 */
const WRITE_AFTER_MS = 500

type Batch = ReadonlyMap<string, Waiting>

/** Adds an entry to a batch. A confirmation leaves an answer that is already waiting in place. */
export const withWaiting = (batch: Batch, url: string, { answer, at }: Waiting): Batch =>
  new Map(batch).set(url, { answer: answer === undefined ? batch.get(url)?.answer : answer, at })

/**
 * Creates the queue.
 * @param write writes a batch; a failure is ignored, because the cache may lose entries
 */
export function createWriteBehind(write: (batch: Batch) => Promise<void>, now: () => number) {
  let writing: Promise<unknown> = Promise.resolve()
  let waiting: Batch = new Map()
  /** The batch that is being written. */
  let beingWritten: Batch = new Map()
  let timer: ReturnType<typeof setTimeout> | undefined

  const afterWrites = async (run: () => Promise<void>): Promise<void> => {
    await (writing = writing.then(run).catch(() => undefined))
  }
  const writeAll = async () => {
    if (waiting.size === 0) return
    beingWritten = waiting
    waiting = new Map()
    try {
      await write(beingWritten)
    } finally {
      beingWritten = new Map()
    }
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const flush = () => {
    stop()
    return afterWrites(writeAll)
  }
  return {
    /** The waiting answer of a URL: null if it is to be deleted, undefined if nothing is waiting. */
    find(url: string): Waiting['answer'] {
      const last = waiting.get(url)?.answer
      return last === undefined ? beingWritten.get(url)?.answer : last
    },
    /**
     * Queues a write.
     * @param answer null deletes the entry, undefined only confirms it
     */
    add(url: string, answer: Waiting['answer']): void {
      waiting = withWaiting(waiting, url, { answer, at: now() })
      timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS)
    },
    flush,
    /** Runs `run` after all waiting writes. */
    async afterAll(run: () => Promise<void>): Promise<void> {
      await flush()
      await afterWrites(run)
    },
    /** Stops the queue without writing what waits. */
    stop,
  }
}
