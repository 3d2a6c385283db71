import { useEffect, useState } from 'react'
import { combineLatest, of } from 'rxjs'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/context/app-context.tsx'
import {
  askRecord,
  type FetchableCollection,
  interest$,
  recordInterest,
} from '#data/fetch-requests/interests.ts'
import { fetchStateOf } from './use-fresh-detail.ts'

/** What an address leads to while there is nothing to show: it may still come; the CRM has none; it is not on the device. */
export type RecordAbsence = 'loading' | 'missing' | 'absent'

/**
 * A record that the address names by its id. One that is not on the device is asked for, once.
 * @param found undefined until the device was read, null where it has none
 * @param always once also where it is on the device: it is on the screen (sync RULES PL9)
 */
export function useFetchedRecord<T>(
  collection: FetchableCollection,
  id: string,
  found: T | null | undefined,
  always = false,
): T | RecordAbsence {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const [since] = useState(() => new Date(clock.now()).toISOString())
  const isWanted = found === null || (always && found !== undefined)
  const key = recordInterest(collection, id)
  const interest = useLiveQuery(`interest ${key}`, (from) => interest$(from, key))
  useEffect(() => {
    if (db && online && isWanted) void askRecord(db, clock.now(), collection, id)
  }, [db, online, clock, collection, id, isWanted])
  if (found) return found
  const standing = fetchStateOf(interest, since, online)
  if (standing === 'missing') return 'missing'
  return found === undefined || standing === 'asked' ? 'loading' : 'absent'
}

/**
 * Records that an address names beside its own: those that are not on the device are asked for, once.
 * @param ids of those that the device does not have; undefined until it was read
 * @returns whether any of them may still come
 */
export function useFetchedRecords(
  collection: FetchableCollection,
  ids: readonly string[] | undefined,
): boolean {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const [since] = useState(() => new Date(clock.now()).toISOString())
  const wanted = ids?.join(',') ?? ''
  const interests = useLiveQuery(`interests ${collection} ${wanted}`, (from) =>
    wanted === ''
      ? of([])
      : combineLatest(wanted.split(',').map((id) => interest$(from, recordInterest(collection, id)))),
  )
  useEffect(() => {
    if (!db || !online || wanted === '') return
    for (const id of wanted.split(',')) void askRecord(db, clock.now(), collection, id)
  }, [db, online, clock, collection, wanted])
  if (ids === undefined) return true
  if (wanted === '' || !online) return false
  return !interests || interests.some((interest) => fetchStateOf(interest, since, online) === 'asked')
}
