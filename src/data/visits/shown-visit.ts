/** Which day of a request 依頼詳細 shows. */
import type { Visit } from './visits.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'

interface Shown {
  visit: Visit | null
  /** The address asked for a day that is none. */
  invalidDate: boolean
}

/**
 * @param days of one request, earliest first
 * @param workingDate from the address; without one the next visit from today on is shown, else the last
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
