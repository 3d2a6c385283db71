/**
 * The trusted time: a lower bound for the current time, by which stored data expires (RULES EX3). It can be compared
 * with the stamps of the wall clock. It advances with the app's running time (a monotonic clock) and with the time
 * between two `Date`s of the CRM, never with the wall clock alone, which a person or an empty battery can change.
 *
 * If the wall clock was ahead of the trusted time for a whole day, the trusted time catches up with the wall clock: stamps
 * from before are a day old in any case. If the wall clock is behind when the CRM answers, the trusted time goes back to
 * the wall clock, so that new stamps do not look old.
 *
 * A stamp of the last day never looks older than it is. It may look younger, for at most a day.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'

/** A stamp that is further ahead of the trusted time than this was made by a wrong clock. */
export const CLOCK_ERROR_MS = 3_600_000

export interface TrustedTime {
  /** The trusted time, epoch ms by the wall clock. */
  readonly now: number
  /** The CRM's last `Date` plus the running time since then, epoch ms; null if there was none. */
  readonly crmTime: number | null
  /** By how much the wall clock is ahead of `now`, in ms: the smallest value since `since`. */
  readonly lead: number
  /** The trusted time from which `lead` is measured, epoch ms. */
  readonly since: number
}

/** The trusted time at the first start of the app, when only the wall clock is known. */
export const startingAt = (wall: number): TrustedTime => ({ now: wall, crmTime: null, since: wall, lead: 0 })

/**
 * The trusted time after some running time.
 * @param ms running time, by a monotonic clock
 */
export function ran(time: TrustedTime, ms: number, wall: number): TrustedTime {
  const passed = Math.max(0, ms)
  const crmTime = time.crmTime === null ? null : time.crmTime + passed
  return withLead({ ...time, now: time.now + passed, crmTime }, wall)
}

/**
 * The trusted time after an answer of the CRM.
 * @param date epoch ms of its `Date`; null if it has none
 */
export function answered(time: TrustedTime, wall: number, date: number | null): TrustedTime {
  const { now, crmTime } = time
  const passed = date === null || crmTime === null ? 0 : Math.max(0, date - crmTime)
  // After an answer without a `Date`, the CRM's time is measured again from the next one.
  const last = date === null ? null : Math.max(date, crmTime ?? date)
  return withLead({ ...time, now: Math.min(now + passed, wall), crmTime: last }, wall)
}

/** Updates `lead`. After a day, adds `lead` to the trusted time and begins to observe it anew. */
function withLead(time: TrustedTime, wall: number): TrustedTime {
  const ahead = Math.max(0, wall - time.now)
  const lead = Math.min(time.lead, ahead)
  // A clock that was set back may have moved `now` before `since`.
  const since = Math.min(time.since, time.now)
  if (time.now - since < EXPIRY_MS) return { ...time, since, lead }
  const now = time.now + lead
  return { ...time, now, since: now, lead: ahead - lead }
}

/** Parses the stored trusted time; starts at the wall clock if the text cannot be parsed. */
export function restored(text: string | null, wall: number): TrustedTime {
  const isTime = (value: unknown): value is number => Number.isFinite(value)
  try {
    const { now, crmTime, since, lead } = JSON.parse(text ?? '') as Record<keyof TrustedTime, unknown>
    if (isTime(now) && isTime(since) && isTime(lead) && (crmTime === null || isTime(crmTime)))
      return { now, crmTime, since, lead }
  } catch {
    // Nothing was stored, or the stored text has another form.
  }
  return startingAt(wall)
}
