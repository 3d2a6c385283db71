import { INVALID_TOKEN } from '#schemas/api-error.ts'
import { isStorageError } from '#lib/browser/storage-full.ts'

interface ErrorSink {
  add(error: unknown, response?: string): Promise<void>
}

/**
 * Logs uncaught errors, so that screens need not catch the error of a failed save.
 * @param onUnsaved called with the error if it comes from a save that the device could not write
 */
export function watchUncaught(target: Window, log: ErrorSink, onUnsaved: (error: unknown) => void): void {
  const onError = (error: unknown) => {
    void log.add(error)
    if (isStorageError(error)) onUnsaved(error)
  }
  target.addEventListener('error', ({ error, message }) => onError(error ?? message))
  target.addEventListener('unhandledrejection', ({ reason }) => onError(reason))
}

/** Error statuses that are not logged, because each has its own message for the user. */
const EXPECTED: readonly number[] = [400, 401, 404, 422, 429, INVALID_TOKEN, 503]

/**
 * Returns a `fetch` that logs answers with an unexpected status, and reports INVALID_TOKEN before the caller gets the
 * answer. The log has the answer's `content-length` but never its body (sync RULES EX7).
 */
export function watchedFetch(fetch: typeof globalThis.fetch, log: ErrorSink, onInvalidToken: () => void) {
  return async (...call: Parameters<typeof globalThis.fetch>): Promise<Response> => {
    const response = await fetch(...call)
    const { status } = response
    if (status === INVALID_TOKEN) onInvalidToken()
    if (status >= 400 && !EXPECTED.includes(status)) {
      const [input] = call
      const url = input instanceof Request ? input.url : String(input)
      const length = response.headers.get('content-length')
      void log.add(`HTTP ${status}`, `${status} ${url}${length === null ? '' : `\n${length} bytes`}`)
    }
    return response
  }
}
