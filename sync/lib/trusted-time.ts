/**
 * The trusted time: a lower bound for the current time, comparable with the stamps of stored data, which the wall
 * clock made (RULES EX3). It advances with the app's running time (a monotonic clock) and with the time between two
 * `Date`s of the CRM. It never follows the wall clock alone, which a person or an empty battery can change.
 *
 *     now ──running time──→ ──time between the CRM's `Date`s──→
 *     wall clock ahead for a whole day ─→ the trusted time catches up: stamps made before are a day old anyway
 *     wall clock behind, and the CRM answers ─→ it goes back to the wall clock, so that new stamps do not look old
 *
 * A stamp of the last day never looks older than it is. It may look younger, for at most a day.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'

/** A stamp that is further ahead of the trusted time than this was made by a wrong clock. */
export const CLOCK_ERROR_MS = 3_600_000

export interface TrustedTime {
  /** The trusted time, epoch ms by the wall clock. */
  readonly now: number
  /** The same moment by the CRM's last `Date` plus running time; null if there was none. */
  readonly crmTime: number | null
  /** Start of the current observation of the wall clock, on the scale of `now`. */
  readonly since: number
  /** The least by which the wall clock was ahead of `now` since then, in ms. */
  readonly lead: number
}

/** The value at a first start, when only the wall clock is known. */
export const startingAt = (wall: number): TrustedTime => ({ now: wall, crmTime: null, since: wall, lead: 0 })

/**
 * The value after running time.
 * @param ms since the last value, by a monotonic clock
 */
export function ran(time: TrustedTime, ms: number, wall: number): TrustedTime {
  const passed = Math.max(0, ms)
  const crmTime = time.crmTime === null ? null : time.crmTime + passed
  return withLead({ ...time, now: time.now + passed, crmTime }, wall)
}

/**
 * The value after an answer of the CRM.
 * @param date epoch ms of its `Date`; null if it has none
 */
export function answered(time: TrustedTime, wall: number, date: number | null): TrustedTime {
  const { now, crmTime } = time
  const passed = date === null || crmTime === null ? 0 : Math.max(0, date - crmTime)
  // After an answer without a `Date`, the CRM's time is measured again from the next one.
  const last = date === null ? null : Math.max(date, crmTime ?? date)
  return withLead({ ...time, now: Math.min(now + passed, wall), crmTime: last }, wall)
}

/** Updates `lead`. After a day, adds it to the trusted time and begins a new observation. */
function withLead(time: TrustedTime, wall: number): TrustedTime {
  const ahead = Math.max(0, wall - time.now)
  const lead = Math.min(time.lead, ahead)
  // A clock that was set back may have moved `now` before `since`.
  const since = Math.min(time.since, time.now)
  if (time.now - since < EXPIRY_MS) return { ...time, since, lead }
  const now = time.now + lead
  return { ...time, now, since: now, lead: ahead - lead }
}

/** Parses a stored value; starts at the wall clock if it cannot be read. */
export function restored(text: string | null, wall: number): TrustedTime {
  const isTime = (value: unknown): value is number => Number.isFinite(value)
  try {
    const { now, crmTime, since, lead } = JSON.parse(text ?? '') as Record<keyof TrustedTime, unknown>
    if (isTime(now) && isTime(since) && isTime(lead) && (crmTime === null || isTime(crmTime)))
      return { now, crmTime, since, lead }
  } catch {
    // Nothing was stored, or something else.
  }
  return startingAt(wall)
}
