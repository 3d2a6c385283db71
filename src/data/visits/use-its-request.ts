import { useEffect } from 'react'
import { useOnline, useServices, useUserData } from '#data/context/app-context.tsx'
import { askDetail } from '#data/fetch-requests/interests.ts'
import { useFreshDetail } from '#data/context/use-fresh-detail.ts'
import { useOpened } from '#data/context/use-latched.ts'

/** The visit that a record belongs to. An empty day means the request's next visit (crm-contract 4). */
interface Visited {
  requestId: string
  workingDate: string
}

/**
 * Waits for the request of the record on the screen, whose board heads the screen (spec 2), and requests it
 * if it is not on the device. Record and board appear together, so that the board does not push the record
 * down later. What is shown stays.
 * @param record null if it is not on the device yet
 * @param has true if the request is on the device
 * @returns true while the screen should wait for it
 */
export function useItsRequest(record: Visited | null, has: boolean): boolean {
  const isMissing = record !== null && !has
  const detailState = useFreshDetail(record?.requestId ?? '', record?.workingDate ?? '', isMissing)
  const isWaiting = isMissing && detailState === 'asked'
  const isShown = useOpened(record !== null && !isWaiting)
  return isWaiting && !isShown
}

/** Requests the requests of further records on the screen. Nothing waits for them. */
export function useTheirRequests(missing: readonly Visited[]): void {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const missingText = JSON.stringify(missing.map(({ requestId, workingDate }) => [requestId, workingDate]))
  useEffect(() => {
    if (!db || !online) return
    for (const [requestId, day] of JSON.parse(missingText) as [string, string][])
      void askDetail(db, clock.now(), requestId, day)
  }, [db, online, clock, missingText])
}
