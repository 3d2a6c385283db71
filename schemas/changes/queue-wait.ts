/**
 * Why items are still waiting although there is a connection (sync RULES ST3). It follows from the stored answers, so
 * every tab shows the same and a restart loses nothing. Does not import ArkType, because the first screen's badge
 * uses it.
 */
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { isSendable, PAUSED, type QueueItem } from './change-queue.ts'

/**
 * silent: the CRM gave no clear answer; busy: it asks for fewer calls (429); unavailable: it is down for a while
 * (503); paused: it refused several changes in a row without a reason.
 */
export type QueueWait = 'silent' | 'busy' | 'unavailable' | 'paused'

/** @returns the reason of the first sendable item that has been tried; null if only the connection is missing */
export function queueWait(queue: readonly QueueItem[]): QueueWait | null {
  for (const item of queue) {
    const wait = isSendable(item) ? waitOf(item) : null
    if (wait) return wait
  }
  return null
}

const TOO_MANY = 429
const UNAVAILABLE = 503
/** Statuses that end the session. The user is asked to log in instead of being told why the queue waits. */
const SIGNED_OUT: readonly number[] = [401, INVALID_TOKEN]

/**
 * @returns null if the last answer does not explain a wait. A call in progress does not change the result until it
 * ends.
 */
function waitOf({ progress }: QueueItem): QueueWait | null {
  const { status = 0, reasons = [] } = progress ?? {}
  if (reasons.includes(PAUSED)) return 'paused'
  if (status === 0 || SIGNED_OUT.includes(status)) return null
  if (status === TOO_MANY) return 'busy'
  return status === UNAVAILABLE ? 'unavailable' : 'silent'
}
