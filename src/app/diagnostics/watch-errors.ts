/** What goes into the error log by itself, and what an invalid token is told by (spec 8). */
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { isStorageError } from '#lib/browser/storage-full.ts'
import type { ErrorLog } from './error-log.ts'

/**
 * What nobody caught. A save that failed on the device ends here, whoever made it: no screen need catch it.
 * @param unsaved told of those
 */
export function watchUncaught(
  target: Window,
  log: Pick<ErrorLog, 'add'>,
  unsaved: (error: unknown) => void,
): void {
  const told = (error: unknown) => {
    void log.add(error)
    if (isStorageError(error)) unsaved(error)
  }
  target.addEventListener('error', ({ error, message }) => told(error ?? message))
  target.addEventListener('unhandledrejection', ({ reason }) => told(reason))
}

/** Statuses that the catalogue names: each has its own way to the user. */
const NAMED: readonly number[] = [400, 401, 404, 422, 429, INVALID_TOKEN, 503]

/**
 * A `fetch` that logs every answer of another status, with the length that its header states. The body is the CRM's (sync
 * RULES EX7), and only the caller reads it, to a limit.
 */
export function loggedFetch(fetch: typeof globalThis.fetch, log: Pick<ErrorLog, 'add'>) {
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

/** A `fetch` that tells of an answer INVALID_TOKEN before anybody else reads it. */
export function watchedFetch(fetch: typeof globalThis.fetch, tokenIsInvalid: () => void) {
  return async (...call: Parameters<typeof globalThis.fetch>): Promise<Response> => {
    const response = await fetch(...call)
    if (response.status === INVALID_TOKEN) tokenIsInvalid()
    return response
  }
}
