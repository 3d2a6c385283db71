import { useEffect, useState } from 'react'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/app-context.tsx'
import { interest$ } from '#data/interests.ts'
import { awayOf, type Away } from '#data/list-standing.ts'
import { askPhotos, photosInterest } from '#data/photos.ts'

/** Asked in the moment of a logout: nobody looks any more. */
const GONE = () => undefined

/**
 * Asks the file store for the photos of a record, once while they are on the screen.
 * @param record null: there is nothing to ask for
 * @returns where those are that may be missing; null where all were read
 */
export function useAskedPhotos(
  record: { resource: string; recordKey: string; requestId: string } | null,
): Away | null {
  const { clock } = useServices()
  const online = useOnline()
  const db = useUserData()?.db
  const [since] = useState(() => new Date(clock.now()).toISOString())
  const { resource, recordKey, requestId } = record ?? {}
  useEffect(() => {
    if (!db || !online || resource === undefined || recordKey === undefined || requestId === undefined) return
    askPhotos(db, clock.now(), { resource, recordKey, requestId }).catch(GONE)
  }, [db, online, clock, resource, recordKey, requestId])
  const key = photosInterest(resource ?? '', recordKey ?? '')
  const interest = useLiveQuery(`interest ${key}`, (from) => interest$(from, key))
  if (!record || interest?.state === 'answered') return null
  // what became of an earlier question says nothing of this one
  const asked = interest && interest.askedAt < since ? null : interest && interest.state
  return awayOf(asked, online)
}
