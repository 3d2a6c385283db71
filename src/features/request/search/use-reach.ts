import type { RequestFilter } from '#schemas/device/interest.ts'
import { useLiveQuery, useOnline } from '#data/context/app-context.tsx'
import { searchInterestQuery } from '#data/visits/first-queries.ts'
import { isSameJson } from '#lib/is-same.ts'
import { goesBeyondDevice } from './filter.ts'

/**
 * How far a search reached. `none`: the device has all results. `asking`: the CRM is being searched. `device-only`: the
 * CRM may have more results. `failed`: the CRM could not answer.
 */
export type Reach = 'none' | 'asking' | 'device-only' | 'failed'

/** Returns how far the search with this filter reached. */
export function useReach(filter: RequestFilter, today: string): Reach {
  const online = useOnline()
  const latest = useLiveQuery(searchInterestQuery.key, searchInterestQuery.query)
  if (!goesBeyondDevice(filter, today)) return 'none'
  // The last search in the CRM, if it had this filter.
  const own = latest?.filter && isSameJson(latest.filter, filter) ? latest : null
  if (own?.state === 'answered') return 'none'
  if (!online || !own) return 'device-only'
  return own.state === 'asked' ? 'asking' : 'failed'
}
