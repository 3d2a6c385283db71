/**
 * The trusted time is a lower bound for the current time, by which stored data expires (RULES EX3). It advances with
 * the app's running time and with the time between two `Date`s of the CRM, because a person or an empty battery can
 * change the wall clock.
 * If the wall clock is ahead of the trusted time for a whole day, the trusted time catches up. If the wall clock is
 * behind when the CRM answers, the trusted time goes back to the wall clock. So data stamped during the last day never
 * looks older than it is, and looks at most a day younger.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'

/** A stamp that is later than the trusted time by more than this was made while the device's clock was wrong. */
export const CLOCK_ERROR_MS = 3_600_000

export interface TrustedTime {
  /** Trusted time in epoch ms, comparable with the wall clock. */
  readonly now: number
  /** The CRM's last `Date` plus the running time since then, epoch ms; null before the first `Date`. */
  readonly crmTime: number | null
  /** Milliseconds by which the wall clock is ahead of `now`: the smallest value since `since`. */
  readonly lead: number
  /** Trusted time at which the measurement of `lead` began, epoch ms. */
  readonly since: number
}

/** Trusted time at the app's first start, when only the wall clock is known. */
export const startingAt = (wall: number): TrustedTime => ({ now: wall, crmTime: null, since: wall, lead: 0 })

/** Trusted time after `ms` milliseconds of running time, measured by a monotonic clock. */
export function ran(time: TrustedTime, ms: number, wall: number): TrustedTime {
  const passed = Math.max(0, ms)
  const crmTime = time.crmTime === null ? null : time.crmTime + passed
  return withLead({ ...time, now: time.now + passed, crmTime }, wall)
}

/**
 * Trusted time after an answer of the CRM.
 * @param date epoch ms of the answer's `Date`; null without one
 */
export function answered(time: TrustedTime, wall: number, date: number | null): TrustedTime {
  const { now, crmTime } = time
  const passed = date === null || crmTime === null ? 0 : Math.max(0, date - crmTime)
  // If this answer has no `Date`, the measurement starts again at the next answer with one.
  const last = date === null ? null : Math.max(date, crmTime ?? date)
  return withLead({ ...time, now: Math.min(now + passed, wall), crmTime: last }, wall)
}

/** Updates `lead`. Once `lead` was measured for a day, it is added to the trusted time and measured anew. */
function withLead(time: TrustedTime, wall: number): TrustedTime {
  const ahead = Math.max(0, wall - time.now)
  const lead = Math.min(time.lead, ahead)
  // A clock that was set back may have moved `now` before `since`.
  const since = Math.min(time.since, time.now)
  if (time.now - since < EXPIRY_MS) return { ...time, since, lead }
  const now = time.now + lead
  return { ...time, now, since: now, lead: ahead - lead }
}

/** Parses the stored trusted time. @returns the wall clock if the text cannot be parsed */
export function restored(text: string | null, wall: number): TrustedTime {
  const isTime = (value: unknown): value is number => Number.isFinite(value)
  try {
    const { now, crmTime, since, lead } = JSON.parse(text ?? '') as Record<keyof TrustedTime, unknown>
    if (isTime(now) && isTime(since) && isTime(lead) && (crmTime === null || isTime(crmTime)))
      return { now, crmTime, since, lead }
  } catch {
    // The text is missing or has another form.
  }
  return startingAt(wall)
}
