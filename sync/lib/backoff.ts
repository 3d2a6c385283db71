/** Waits: their clock, and the pause after a failed call with the CRM's `Retry-After` (RULES OC4, OC10). */
import { timer, type Observable } from 'rxjs'
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '#schemas/limits.ts'

/** The clock for waits. All tabs of a browser share it, and it never goes back while a page is open. */
export interface Ticks {
  now(): number
  after$(ms: number): Observable<unknown>
}

export const sharedNow = (): number => performance.timeOrigin + performance.now()

export const TICKS: Ticks = { now: sharedNow, after$: (ms) => timer(ms) }

/** Upper limit for `Retry-After`: a wrong device clock makes its date too late, and timers end at 24 days. */
export const RETRY_AFTER_MAX_MS = 15 * 60_000

/**
 * Milliseconds to wait before try number `attempt` (0-based): 500 ms, doubling to 30 s, minus a random share
 * of up to a quarter, so that many devices do not return at once (RULES OC4).
 * @param random 0 ≤ random < 1
 * @param retryAfterMs the CRM's `Retry-After`: a lower limit, up to `RETRY_AFTER_MAX_MS`
 * @param maxMs upper limit of the doubling
 */
export function backoffDelay(attempt: number, random: number, retryAfterMs = 0, maxMs = RETRY_MAX_MS) {
  const ceiling = Math.min(maxMs, RETRY_FIRST_MS * 2 ** Math.min(attempt, 16))
  return Math.max(Math.min(retryAfterMs, RETRY_AFTER_MAX_MS), Math.round(ceiling * (1 - random / 4)))
}

const LONG_OUTAGE_FAILURES = 8
const EASE_MS = 90_000

/**
 * Milliseconds that reads wait after a long outage, so that unsent work goes first and the reads of ten thousand
 * devices are spread (RULES PL10); 0 after fewer `failures` in a row.
 */
export const easeMs = (failures: number, random: number): number =>
  failures < LONG_OUTAGE_FAILURES ? 0 : Math.round(random * EASE_MS)

/** Options of RxJS `retry`: unlimited tries with back-off, for writes that a full device may refuse. */
export const again = (random: () => number) => ({
  delay: (_: unknown, times: number) => timer(backoffDelay(times, random())),
})

/** Parses `Retry-After`, seconds or a date. @returns milliseconds from `now` (epoch ms); 0 if unreadable */
export function retryAfterMs(header: string | null, now: number): number {
  if (!header) return 0
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}
