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

/**
 * @param closing aborts when the store closes, which ends any wait and refuses later reads
 * @param report called at the first failure after a success
 */
export function readingAgain(closing: AbortSignal, report: (problem: string) => void): ReadAgain {
  let isReported = false
  return async (read) => {
    for (const wait of WAITS_MS) {
      try {
        closing.throwIfAborted()
        const result = await read()
        isReported = false
        return result
      } catch (error) {
        if (closing.aborted || !isBrokenOff(error)) throw error
        if (!isReported) report(`a read was broken off, and is made again: ${String(error)}`)
        isReported = true
        await pause(wait, closing)
      }
    }
    return read()
  }
}

const pause = (ms: number, closing: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      closing.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    closing.addEventListener('abort', end)
  })
