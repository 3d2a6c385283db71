/** Logs uncaught errors and unexpected answers, and reports an invalid token (spec 8). */
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { isStorageError } from '#lib/browser/storage-full.ts'

interface ErrorSink {
  add(error: unknown, response?: string): Promise<void>
}

/**
 * Logs uncaught errors. A save that failed on the device ends here, so no screen needs to catch it.
 * @param unsaved called for such a save
 */
export function watchUncaught(target: Window, log: ErrorSink, unsaved: (error: unknown) => void): void {
  const onError = (error: unknown) => {
    void log.add(error)
    if (isStorageError(error)) unsaved(error)
  }
  target.addEventListener('error', ({ error, message }) => onError(error ?? message))
  target.addEventListener('unhandledrejection', ({ reason }) => onError(reason))
}

/** Statuses with a message of their own in the catalogue. */
const NAMED: readonly number[] = [400, 401, 404, 422, 429, INVALID_TOKEN, 503]

/**
 * A `fetch` that logs answers of other statuses with the length of their header. The body is not logged (sync RULES EX7): only
 * the caller reads it, up to a limit.
 */
export function loggedFetch(fetch: typeof globalThis.fetch, log: ErrorSink) {
  return async (...call: Parameters<typeof globalThis.fetch>): Promise<Response> => {
    const response = await fetch(...call)
    const { status } = response
    if (status >= 400 && !NAMED.includes(status)) {
      const [input] = call
      const url = input instanceof Request ? input.url : String(input)
      const length = response.headers.get('content-length')
      void log.add(`HTTP ${status}`, `${status} ${url}${length === null ? '' : `\n${length} bytes`}`)
    }
    return response
  }
}

/** A `fetch` that reports INVALID_TOKEN before the caller gets the answer. */
export function watchedFetch(fetch: typeof globalThis.fetch, tokenIsInvalid: () => void) {
  return async (...call: Parameters<typeof globalThis.fetch>): Promise<Response> => {
    const response = await fetch(...call)
    if (response.status === INVALID_TOKEN) tokenIsInvalid()
    return response
  }
}
