import type { RequestRecord } from '#schemas/resources/request.ts'
import { useLiveQuery, useOnline } from './app-context.tsx'
import { detailInterest, interest$ } from '#data/fetch-requests/interests.ts'
import { type Away, awayOf } from '#data/fetch-requests/list-standing.ts'

/** Where the details of a request on the screen are, which is asked for them; null where the device has them. */
export function useDetailAway({ id, workingDate, detail }: RequestRecord): Away | null {
  const online = useOnline()
  const key = detailInterest(id, workingDate)
  const interest = useLiveQuery(`interest ${key}`, (db) => interest$(db, key))
  if (detail !== null) return null
  return awayOf(interest === undefined ? undefined : (interest?.state ?? null), online)
}
