/**
 * How late it surely is, on the scale of the wall clock that stamps what is stored (RULES EX3). A pure value: it moves with
 * what the app ran (a monotonic clock) and with what passed between two `Date`s of the CRM, and never with the wall clock
 * alone, which a person or a dead battery may set.
 *
 *     now ──ran──→ ──Date of the CRM: what passed since the last one──→
 *     the wall clock ahead for a whole day ─→ by so much it catches up: what was stamped before is a day old by then
 *     the wall clock behind, and the CRM answers ─→ it goes back: what is stamped from here on is not taken for old
 *
 * It never says more than what passed since a stamp of the last day; it may say less, at most until the day is over.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'

/** A confirmation stamped further ahead than this came from a wrong clock. */
export const UNDATED_MS = 3_600_000

export interface TrustedTime {
  /** Epoch ms by the wall clock, as far as it is borne out. */
  readonly now: number
  /** The same moment by the last `Date` of the CRM and what was run since; null where there was none. */
  readonly heard: number | null
  /** Since when (by `now`) the wall clock is ahead by at least `lead` ms. */
  readonly since: number
  readonly lead: number
}

export const startingAt = (wall: number): TrustedTime => ({ now: wall, heard: null, since: wall, lead: 0 })

/** @param ms by a monotonic clock, since the last value */
export function ran(time: TrustedTime, ms: number, wall: number): TrustedTime {
  const passed = Math.max(0, ms)
  const heard = time.heard === null ? null : time.heard + passed
  return withLead({ ...time, now: time.now + passed, heard }, wall)
}

/** The CRM answered. @param date epoch ms of its `Date`; null where it cannot be read */
export function answered(time: TrustedTime, wall: number, date: number | null): TrustedTime {
  const { now, heard } = time
  const passed = date === null || heard === null ? 0 : Math.max(0, date - heard)
  // after an answer without a readable Date, elapsed CRM time is counted anew from the next Date
  const last = date === null ? null : Math.max(date, heard ?? date)
  return withLead({ ...time, now: Math.min(now + passed, wall), heard: last }, wall)
}

function withLead(time: TrustedTime, wall: number): TrustedTime {
  const ahead = Math.max(0, wall - time.now)
  const lead = Math.min(time.lead, ahead)
  // a clock set back by hand may have brought `now` before it
  const since = Math.min(time.since, time.now)
  if (time.now - since < EXPIRY_MS) return { ...time, since, lead }
  const now = time.now + lead
  return { ...time, now, since: now, lead: ahead - lead }
}

/**
 * What is to become of what the CRM confirmed at a time of the wall clock: over after a day; stamped by a clock that was
 * wrong, its age is not known, and its day begins now.
 */
export function fateOf(confirmedAt: number, time: TrustedTime, wall: number): 'kept' | 'over' | 'undated' {
  if (confirmedAt < time.now - EXPIRY_MS) return 'over'
  return confirmedAt > Math.max(time.now, wall) + UNDATED_MS ? 'undated' : 'kept'
}

/** What was kept of it, where that can be read; else it starts at the wall clock. */
export function restored(text: string | null, wall: number): TrustedTime {
  const isTime = (value: unknown): value is number => Number.isFinite(value)
  try {
    const { now, heard, since, lead } = JSON.parse(text ?? '') as Record<keyof TrustedTime, unknown>
    if (isTime(now) && isTime(since) && isTime(lead) && (heard === null || isTime(heard)))
      return { now, heard, since, lead }
  } catch {
    // nothing was kept, or something else
  }
  return startingAt(wall)
}
