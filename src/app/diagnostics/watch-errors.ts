import { INVALID_TOKEN } from '#schemas/api-error.ts'
import { isStorageError } from '#lib/browser/storage-full.ts'

interface ErrorSink {
  add(error: unknown, response?: string): Promise<void>
}

/** Logs uncaught errors. @param onUnsaved called if the error comes from a save that the device did not write */
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

/** A `fetch` that logs unexpected statuses, never bodies (sync RULES EX7), and reports INVALID_TOKEN first. */
export const watchedFetch =
  (fetch: typeof globalThis.fetch, log: ErrorSink, onInvalidToken: () => void) =>
  async (...call: Parameters<typeof globalThis.fetch>): Promise<Response> => {
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
