import { useEffect, useState } from 'react'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/context/app-context.tsx'
import { interest$, absenceOf, type Absence } from '#data/fetch-requests/interests.ts'
import { requestPhotos, photosRequestKey } from '#data/photos/photos.ts'

/**
 * Requests a record's photos from the file store when the component mounts, and when the device comes online.
 * @param record null to request nothing
 * @returns why photos may be missing; null if all were read
 */
export function useRequestedPhotos(
  record: { resource: string; recordKey: string; requestId: string } | null,
): Absence | null {
  const { clock, errorLog } = useServices()
  const online = useOnline()
  const db = useUserData()?.db
  const [since] = useState(() => new Date(clock.now()).toISOString())
  const { resource, recordKey, requestId } = record ?? {}
  useEffect(() => {
    if (!db || !online || resource === undefined || recordKey === undefined || requestId === undefined) return
    requestPhotos(db, clock.now(), { resource, recordKey, requestId }).catch(errorLog.note)
  }, [db, online, clock, errorLog, resource, recordKey, requestId])
  const key = photosRequestKey(resource ?? '', recordKey ?? '')
  const interest = useLiveQuery(`interest ${key}`, (from) => interest$(from, key))
  if (!record || interest?.state === 'answered') return null
  // A fetch request from before this component mounted may have failed long ago, so its result is ignored.
  const state = interest && interest.askedAt < since ? null : interest && interest.state
  return absenceOf(state, online)
}
