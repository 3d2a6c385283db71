/**
 * Why what could go has not gone, though there is a connection (sync RULES ST3): by the last answers, which the ledger has,
 * so that every tab knows and a restart forgets nothing. Without ArkType: the first screen's badge goes by it.
 */
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { isSendable, PAUSED, type QueueItem } from './change-queue.ts'

/**
 * silent: no answer of use from the CRM; busy: it asks for fewer calls (429); unavailable: it is down for a while (503);
 * paused: it refused one after the other without saying why.
 */
export type QueueWait = 'silent' | 'busy' | 'unavailable' | 'paused'

/** @returns of the first one that was tried and has not gone; null where nothing is in the way but the connection */
export function queueWait(queue: readonly QueueItem[]): QueueWait | null {
  for (const item of queue) {
    const wait = isSendable(item) ? waitOf(item) : null
    if (wait) return wait
  }
  return null
}

const TOO_MANY = 429
const UNAVAILABLE = 503
/** Of these the session tells. */
const SIGNED_OUT: readonly number[] = [401, INVALID_TOKEN]

/** A call of it may be under way again: until that has ended, the last answer is what is known. */
function waitOf({ ledger }: QueueItem): QueueWait | null {
  const { status = 0, reasons = [] } = ledger ?? {}
  if (reasons.includes(PAUSED)) return 'paused'
  if (status === 0 || SIGNED_OUT.includes(status)) return null
  if (status === TOO_MANY) return 'busy'
  return status === UNAVAILABLE ? 'unavailable' : 'silent'
}
