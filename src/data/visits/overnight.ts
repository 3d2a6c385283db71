/** What a night makes of a visit: it goes on after midnight, or somebody is still inside when the work should be over. */
import { carriedDay, plannedEnd } from '#lib/time/working-day.ts'
import type { VisitRow } from './visits.ts'

type Told = Pick<VisitRow, 'state'> & {
  request: Pick<VisitRow['request'], 'workingDate' | 'workingEndTime'>
}

/** Of yesterday and not left: it is still today's affair until 12:00. */
export const isFromYesterday = ({ state, request }: Told, nowMs: number) =>
  state !== 'out' && request.workingDate === carriedDay(nowMs)

/** Entered, and not left by the planned end of the work. */
export const isStillInside = ({ state, request }: Told, nowMs: number) =>
  state === 'in' && nowMs > plannedEnd(request.workingDate, request.workingEndTime)
