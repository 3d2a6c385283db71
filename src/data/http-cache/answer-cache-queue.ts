/**
 * Write-behind of the answers that are kept: what is to be written waits half a second for more, of each address the last
 * that was said of it, and is written in one go; what waits can be had from here.
 */
import type { Waiting } from './answer-cache-rows.ts'

/**
 * How long a write waits so that several share one transaction, which costs as much as its contents (decisions/pull).
 */
const WRITE_AFTER_MS = 500

type Batch = ReadonlyMap<string, Waiting>

/** A mere confirmation keeps the answer that already waits. */
export const withWaiting = (batch: Batch, url: string, { answer, at }: Waiting): Batch =>
  new Map(batch).set(url, { answer: answer === undefined ? batch.get(url)?.answer : answer, at })

/** @param write if it fails, nothing is kept and nobody is told */
export function createWriteBehind(write: (batch: Batch) => Promise<void>, now: () => number) {
  let turn: Promise<unknown> = Promise.resolve()
  let waiting: Batch = new Map()
  /** Taken from those that wait, and not written yet. */
  let leaving: Batch = new Map()
  let timer: ReturnType<typeof setTimeout> | undefined

  const inTurn = async (run: () => Promise<void>): Promise<void> => {
    await (turn = turn.then(run).catch(() => undefined))
  }
  const writeAll = async () => {
    if (waiting.size === 0) return
    leaving = waiting
    waiting = new Map()
    try {
      await write(leaving)
    } finally {
      leaving = new Map()
    }
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const flush = () => {
    stop()
    return inTurn(writeAll)
  }
  return {
    /** @returns null where it is to go; undefined where nothing of it waits */
    find(url: string): Waiting['answer'] {
      const last = waiting.get(url)?.answer
      return last === undefined ? leaving.get(url)?.answer : last
    },
    /** @param answer null where it is to go, undefined where it was only confirmed */
    add(url: string, answer: Waiting['answer']): void {
      waiting = withWaiting(waiting, url, { answer, at: now() })
      timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS)
    },
    flush,
    /** After all that waits. */
    async afterAll(run: () => Promise<void>): Promise<void> {
      await flush()
      await inTurn(run)
    },
    /** What waits is not written. */
    stop,
  }
}
