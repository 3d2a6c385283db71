/** Rules for visits around midnight. */
import { carriedDay, plannedEnd } from '#lib/time/working-day.ts'
import type { VisitRow } from './visits.ts'

type Facts = Pick<VisitRow, 'state'> & {
  request: Pick<VisitRow['request'], 'workingDate' | 'workingEndTime'>
}

/** True if the visit began yesterday and no exit is registered. It counts as today's work until 12:00. */
export const isFromYesterday = ({ state, request }: Facts, nowMs: number) =>
  state !== 'out' && request.workingDate === carriedDay(nowMs)

/** True if the user is still inside after the planned end of the visit. */
export const isStillInside = ({ state, request }: Facts, nowMs: number) =>
  state === 'in' && nowMs > plannedEnd(request.workingDate, request.workingEndTime)
