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

/**
 * Why a record is not shown. `loading`: it may still arrive. `missing`: the CRM has none. `absent`: it is not
 * on the device.
 */
export type RecordAbsence = 'loading' | 'missing' | 'absent'

/**
 * Returns the record that a URL names, and requests it once if it is not on the device.
 * @param found undefined until the device was read, null if it has none
 * @param always true to request it once even if it is on the device, because it is on the screen (sync RULES
 * PL9)
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
  const state = fetchStateOf(interest, since, online)
  if (state === 'missing') return 'missing'
  return found === undefined || state === 'asked' ? 'loading' : 'absent'
}

/**
 * Requests further records that a URL names, once each.
 * @param ids of those that are not on the device; undefined until the device was read
 * @returns true while any of them may still arrive
 */
export function useFetchedRecords(
  collection: FetchableCollection,
  ids: readonly string[] | undefined,
): boolean {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const [since] = useState(() => new Date(clock.now()).toISOString())
  const idsText = ids?.join(',') ?? ''
  const interests = useLiveQuery(`interests ${collection} ${idsText}`, (from) =>
    idsText === ''
      ? of([])
      : combineLatest(idsText.split(',').map((id) => interest$(from, recordInterest(collection, id)))),
  )
  useEffect(() => {
    if (!db || !online || idsText === '') return
    for (const id of idsText.split(',')) void askRecord(db, clock.now(), collection, id)
  }, [db, online, clock, collection, idsText])
  if (ids === undefined) return true
  if (idsText === '' || !online) return false
  return !interests || interests.some((interest) => fetchStateOf(interest, since, online) === 'asked')
}
