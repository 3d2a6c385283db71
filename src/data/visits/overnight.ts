/**
 * Visits around midnight: work that continues after midnight, and people who are still inside after the planned end.
 */
import { carriedDay, plannedEnd } from '#lib/time/working-day.ts'
import type { VisitRow } from './visits.ts'

type Facts = Pick<VisitRow, 'state'> & {
  request: Pick<VisitRow['request'], 'workingDate' | 'workingEndTime'>
}

/** True if the visit was yesterday and no exit is registered. Such a visit counts as today's work until 12:00. */
export const isFromYesterday = ({ state, request }: Facts, nowMs: number) =>
  state !== 'out' && request.workingDate === carriedDay(nowMs)

/** True if the user is still inside after the visit's planned end. */
export const isStillInside = ({ state, request }: Facts, nowMs: number) =>
  state === 'in' && nowMs > plannedEnd(request.workingDate, request.workingEndTime)
