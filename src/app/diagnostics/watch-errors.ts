/** Watches for uncaught errors, unexpected answers and an invalid token (spec 8). */
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { isStorageError } from '#lib/browser/storage-full.ts'

interface ErrorSink {
  add(error: unknown, response?: string): Promise<void>
}

/**
 * Logs uncaught errors. No screen needs to catch the error of a save that failed on the device.
 * @param onUnsaved called with the error of such a save
 */
export function watchUncaught(target: Window, log: ErrorSink, onUnsaved: (error: unknown) => void): void {
  const onError = (error: unknown) => {
    void log.add(error)
    if (isStorageError(error)) onUnsaved(error)
  }
  target.addEventListener('error', ({ error, message }) => onError(error ?? message))
  target.addEventListener('unhandledrejection', ({ reason }) => onError(reason))
}

/** Error statuses that are expected: each has a message of its own for the user. */
const EXPECTED: readonly number[] = [400, 401, 404, 422, 429, INVALID_TOKEN, 503]

/**
 * Returns a `fetch` that logs answers with an unexpected status, and reports INVALID_TOKEN before the caller gets the
 * answer. The log gets the `content-length` but not the body (sync RULES EX7), which only the caller reads, up to a limit.
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
