/** Chooses the day of a request that 依頼詳細 shows. */
import type { Visit } from './visits.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'

interface Shown {
  visit: Visit | null
  /** True if the URL's day is not a date. */
  invalidDate: boolean
}

/**
 * Chooses a visit.
 * @param days of one request, earliest first
 * @param workingDate from the URL; without it, the next visit from today on, else the last one
 */
export function shownVisit(days: readonly Visit[], workingDate: string | undefined, today: string): Shown {
  const nearest = days.find(({ request }) => request.workingDate >= today) ?? days.at(-1) ?? null
  if (workingDate === undefined) return { visit: nearest, invalidDate: false }
  if (!isIsoDate(workingDate)) return { visit: nearest, invalidDate: true }
  return {
    visit: days.find(({ request }) => request.workingDate === workingDate) ?? null,
    invalidDate: false,
  }
}
