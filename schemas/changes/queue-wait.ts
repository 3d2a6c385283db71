/**
 * Why items are waiting although there is a connection (sync RULES ST3). The reason follows from the stored answers, so
 * every tab shows the same reason and a restart loses nothing. This module does not import ArkType, because the badge
 * of the first screen uses it.
 */
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { isSendable, PAUSED, type QueueItem } from './change-queue.ts'

/**
 * `silent`: the CRM gave no clear answer. `busy`: the CRM wants fewer calls (429). `unavailable`: the CRM is down for a
 * while (503). `paused`: the CRM refused several changes in a row without a reason.
 */
export type QueueWait = 'silent' | 'busy' | 'unavailable' | 'paused'

/** @returns the reason of the first sendable item that was tried; null if no item has a reason except the connection */
export function queueWait(queue: readonly QueueItem[]): QueueWait | null {
  for (const item of queue) {
    const wait = isSendable(item) ? waitOf(item) : null
    if (wait) return wait
  }
  return null
}

const TOO_MANY = 429
const UNAVAILABLE = 503
/** Statuses that end the session. The screen then offers the login, and does not show why the queue waits. */
const SIGNED_OUT: readonly number[] = [401, INVALID_TOKEN]

/** @returns null if the last answer does not explain a wait. A call in progress changes nothing before its end. */
function waitOf({ progress }: QueueItem): QueueWait | null {
  const { status = 0, reasons = [] } = progress ?? {}
  if (reasons.includes(PAUSED)) return 'paused'
  if (status === 0 || SIGNED_OUT.includes(status)) return null
  if (status === TOO_MANY) return 'busy'
  return status === UNAVAILABLE ? 'unavailable' : 'silent'
}
