import { timer } from 'rxjs'
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '#schemas/limits.ts'

/** A `Retry-After` beyond this is not believed: the device's clock may be wrong, and a timer holds only 24 days. */
export const RETRY_AFTER_MAX_MS = 15 * 60_000

/**
 * How long to wait before try number `attempt` (0-based): 500 ms, doubling to 30 s, with jitter of up to a quarter
 * less, so that many devices do not come back at once (RULES OC4).
 * @param random 0 ≤ random < 1
 * @param retryAfterMs what the CRM asked for; it is a floor, up to `RETRY_AFTER_MAX_MS`
 * @param mostMs the longest wait of its own accord
 */
export function backoffDelay(
  attempt: number,
  random: number,
  retryAfterMs = 0,
  mostMs = RETRY_MAX_MS,
): number {
  const ceiling = Math.min(mostMs, RETRY_FIRST_MS * 2 ** Math.min(attempt, 16))
  return Math.max(Math.min(retryAfterMs, RETRY_AFTER_MAX_MS), Math.round(ceiling * (1 - random / 4)))
}

/** From this many failures in a row on, the outage counts as long: reads are spread out when it ends. */
const LONG_OUTAGE = 8
const EASE_MS = 90_000

/**
 * How long reads wait after an outage is over, so that what is unsent goes first, and ten thousand devices do not read in
 * the same half minute (RULES PL10). After a short one not at all.
 * @param failures calls in a row without an answer of use @param random 0 ≤ random < 1
 */
export const easeMs = (failures: number, random: number): number =>
  failures < LONG_OUTAGE ? 0 : Math.round(random * EASE_MS)

/** A full disk stands in the way of the queue's own writes only for a time: again, until they go through. */
export const again = (random: () => number) => ({
  delay: (_: unknown, times: number) => timer(backoffDelay(times, random())),
})
