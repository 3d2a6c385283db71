/**
 * A read that the browser has broken off is made again: an iPhone closes the connection of an app in the background, and with
 * it ends what was being read. With its first error a query of RxDB has ended for good, for whoever asks the same until the
 * page is loaded anew (sync RULES, trap 21): a screen without rows, or a queue that nobody looks at. What is broken off for
 * longer is said; who looks on is told later (`restart-failed-queries.ts`).
 */

/** Before each further try, milliseconds. RxDB closes nothing before its reads have ended. */
const WAITS_MS = [0, 100, 500, 2_000]

/** What IndexedDB and Dexie call a read that says nothing of what lies there. */
const BROKEN_OFF: readonly unknown[] = [
  'AbortError',
  'InvalidStateError',
  'UnknownError',
  'TransactionInactiveError',
  'DatabaseClosedError',
]

export const isBrokenOff = (error: unknown): boolean =>
  BROKEN_OFF.includes(Reflect.get(Object(error), 'name'))

export type ReadAgain = <T>(read: () => Promise<T>) => Promise<T>

interface Parts {
  isClosed: () => boolean
  /** Resolves when the store is closed: nobody waits for it any longer. */
  closed: Promise<unknown>
  /** Told once until a read has gone through again. */
  report: (problem: string) => void
}

export function readingAgain({ isClosed, closed, report }: Parts): ReadAgain {
  let isTold = false
  return async (read) => {
    for (const wait of WAITS_MS) {
      try {
        const answer = await read()
        isTold = false
        return answer
      } catch (error) {
        if (isClosed() || !isBrokenOff(error)) throw error
        if (!isTold) report(`a read was broken off, and is made again: ${String(error)}`)
        isTold = true
        await pause(wait, closed)
      }
    }
    return read()
  }
}

async function pause(ms: number, closed: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  await Promise.race([new Promise((resolve) => (timer = setTimeout(resolve, ms))), closed])
  clearTimeout(timer)
}
