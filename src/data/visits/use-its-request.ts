import { useEffect } from 'react'
import { useOnline, useServices, useUserData } from '#data/context/app-context.tsx'
import { askDetail } from '#data/fetch-requests/interests.ts'
import { useFreshDetail } from '#data/context/use-fresh-detail.ts'
import { useOpened } from '#data/context/use-latched.ts'

/** Whose record it is. An empty day: the next one of the request (crm-contract 4). */
interface Visited {
  requestId: string
  workingDate: string
}

/**
 * The request that a record on the screen belongs to: its board heads the screen (spec 2). One that is not on the device is
 * asked for, and both are shown at once, so that the board does not push down what stands below it. What is shown stays.
 * @param record null: it is not on the device yet
 * @param has the request is on the device
 * @returns whether it is still waited for
 */
export function useItsRequest(record: Visited | null, has: boolean): boolean {
  const isMissing = record !== null && !has
  const fresh = useFreshDetail(record?.requestId ?? '', record?.workingDate ?? '', isMissing)
  const isWaiting = isMissing && fresh === 'asked'
  const isShown = useOpened(record !== null && !isWaiting)
  return isWaiting && !isShown
}

/** Requests of further records on the screen, which are not on the device: asked for, and nothing waits for them. */
export function useTheirRequests(missing: readonly Visited[]): void {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const wanted = JSON.stringify(missing.map(({ requestId, workingDate }) => [requestId, workingDate]))
  useEffect(() => {
    if (!db || !online) return
    for (const [requestId, day] of JSON.parse(wanted) as [string, string][])
      void askDetail(db, clock.now(), requestId, day)
  }, [db, online, clock, wanted])
}
