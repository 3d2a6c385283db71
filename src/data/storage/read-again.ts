/**
 * Repeats reads that the browser has aborted, for example when iOS closes the connection of an app in the background.
 * An RxDB query would end with the first error until the page reloads, and its screen would have no rows (sync RULES,
 * trap 21). If all repeated reads fail, the error is passed on, and `restart-failed-queries.ts` restarts live queries.
 */

/** Waits in ms before each repeat of a read. Repeats are few, because closing a database waits for them. */
const WAITS_MS = [0, 100, 500, 2_000]

/** Names of IndexedDB's errors for an aborted read. */
const BROKEN_OFF: readonly unknown[] = [
  'AbortError',
  'InvalidStateError',
  'UnknownError',
  'TransactionInactiveError',
]

/** True if the browser aborted the read, so that the data may be intact. */
export const isBrokenOff = (error: unknown): boolean =>
  BROKEN_OFF.includes(Reflect.get(Object(error), 'name'))

export type ReadAgain = <T>(read: () => Promise<T>) => Promise<T>

interface ReadAgainParts {
  isClosed: () => boolean
  /** Resolves when the store closes, which ends any wait. */
  closed: Promise<unknown>
  /** Called at the first failure after a success. */
  report: (problem: string) => void
}

export function readingAgain({ isClosed, closed, report }: ReadAgainParts): ReadAgain {
  let isReported = false
  return async (read) => {
    for (const wait of WAITS_MS) {
      try {
        const result = await read()
        isReported = false
        return result
      } catch (error) {
        if (isClosed() || !isBrokenOff(error)) throw error
        if (!isReported) report(`a read was broken off, and is made again: ${String(error)}`)
        isReported = true
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
