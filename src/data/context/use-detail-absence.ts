import type { RequestRecord } from '#schemas/resources/request.ts'
import { useLiveQuery, useOnline } from './app-context.tsx'
import { detailInterest, interest$ } from '#data/fetch-requests/interests.ts'
import { type Absence, absenceOf } from '#data/fetch-requests/list-state.ts'

/**
 * Why the details of the request on the screen are missing; null if the device has them. Does not request
 * them.
 */
export function useDetailAbsence({ id, workingDate, detail }: RequestRecord): Absence | null {
  const online = useOnline()
  const key = detailInterest(id, workingDate)
  const interest = useLiveQuery(`interest ${key}`, (db) => interest$(db, key))
  if (detail !== null) return null
  return absenceOf(interest === undefined ? undefined : (interest?.state ?? null), online)
}
