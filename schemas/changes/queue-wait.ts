/**
 * Why items wait although there is a connection (sync RULES ST3). The stored answers give the reason, so that all
 * tabs show the same reason, also after a restart. ArkType is not imported, because the first screen's badge uses
 * this file.
 */
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { isSendable, PAUSED, type QueueItem } from './change-queue.ts'

/**
 * `silent`: the CRM gave no clear answer. `busy`: the CRM wants fewer calls (429). `unavailable`: the CRM is
 * temporarily down (503). `paused`: the CRM has refused several changes in a row without a reason.
 */
export type QueueWait = 'silent' | 'busy' | 'unavailable' | 'paused'

/** @returns the reason of the first item that has one; null if all items wait only for a connection */
export function queueWait(queue: readonly QueueItem[]): QueueWait | null {
  for (const item of queue) {
    const wait = isSendable(item) ? waitOf(item) : null
    if (wait) return wait
  }
  return null
}

const TOO_MANY = 429
const UNAVAILABLE = 503
/** Statuses that end the session. The screen then offers the login instead of a reason. */
const SIGNED_OUT: readonly number[] = [401, INVALID_TOKEN]

/** @returns why this item waits; null if its last answer gives no reason, or its call is in progress */
function waitOf({ progress }: QueueItem): QueueWait | null {
  const { status = 0, reasons = [] } = progress ?? {}
  if (reasons.includes(PAUSED)) return 'paused'
  if (status === 0 || SIGNED_OUT.includes(status)) return null
  if (status === TOO_MANY) return 'busy'
  return status === UNAVAILABLE ? 'unavailable' : 'silent'
}
