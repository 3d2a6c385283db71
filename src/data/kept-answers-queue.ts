/**
 * Write-behind of the answers that are kept: what is to be written waits half a second for more, of each address the last
 * that was said of it, and is written in one go; what waits can be had from here.
 */
import type { Waiting } from './kept-answers-rows.ts'

/** What is written waits so long for more: each transaction costs as much as what it writes (decision 0086). */
const WRITE_AFTER_MS = 500

type Batch = ReadonlyMap<string, Waiting>

/** @returns what was only confirmed stays as it waits */
export const withWaiting = (batch: Batch, url: string, { answer, at }: Waiting): Batch =>
  new Map(batch).set(url, { answer: answer === undefined ? batch.get(url)?.answer : answer, at })

/** @param write one that fails is one that keeps nothing */
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
