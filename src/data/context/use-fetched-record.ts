/** Hooks that request a record or the details of a request, and return whether an answer may still arrive. */
import { useEffect, useState } from 'react'
import { combineLatest, of } from 'rxjs'
import { useLiveQuery, useOnline, useServices, useUserData } from './app-context.tsx'
import {
  askRecord,
  type FetchableCollection,
  interest$,
  recordInterest,
  askDetail,
  detailInterest,
} from '#data/fetch-requests/interests.ts'
import { isoOf } from '#schemas/instant.ts'
import type { Interest } from '#schemas/device/interest.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { type Absence, absenceOf } from '#data/fetch-requests/list-state.ts'

/**
 * Why a record is not shown. `loading`: the record may still arrive. `missing`: the CRM has no such record. `absent`:
 * the record is not on the device.
 */
export type RecordAbsence = 'loading' | 'missing' | 'absent'

/** The database and clock that a fetch request needs. `since` is the time when the screen opened, ISO 8601. */
function useFetching() {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const [since] = useState(() => isoOf(clock.now()))
  return { clock, db, online, since }
}

const useInterest = (key: string) => useLiveQuery(`interest ${key}`, (db) => interest$(db, key))

/**
 * Returns the record that a URL names, and requests it once if it is not on the device.
 * @param found the record; undefined until the device was read, null if the device does not have it
 * @param always true to request the record once even if it is on the device, because a screen shows it (sync RULES
 * PL9)
 */
export function useFetchedRecord<T>(
  collection: FetchableCollection,
  id: string,
  found: T | null | undefined,
  always = false,
): T | RecordAbsence {
  const { clock, db, online, since } = useFetching()
  const isWanted = found === null || (always && found !== undefined)
  const interest = useInterest(recordInterest(collection, id))
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
 * @param ids ids of the records that are not on the device; undefined until the device was read
 * @returns true while any of them may still arrive
 */
export function useFetchedRecords(
  collection: FetchableCollection,
  ids: readonly string[] | undefined,
): boolean {
  const { clock, db, online, since } = useFetching()
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

/** Time after a fetch request in which the screen does not repeat the request when it becomes visible again. */
const FRESH_MS = 5 * 60_000

/**
 * Requests the details of the request on the screen, when it opens and when it becomes visible again (sync
 * RULES PL5).
 * @param known true once the device was read, so that the day is final
 * @returns `asked`: an answer is on its way; `missing`: the CRM has no such request; `none`: neither
 */
export function useFreshDetail(
  id: string,
  workingDate: string,
  known: boolean,
): 'asked' | 'missing' | 'none' {
  const { clock, db, online, since } = useFetching()
  const [day, setDay] = useState<string | null>(null)
  if (known && day === null) setDay(workingDate)
  const interest = useInterest(detailInterest(id, day ?? workingDate))
  useEffect(() => {
    if (!db || !online || day === null) return undefined
    let askedAt = clock.now()
    void askDetail(db, askedAt, id, day)
    const askAgain = () => {
      if (document.visibilityState !== 'visible' || clock.now() - askedAt < FRESH_MS) return
      askedAt = clock.now()
      void askDetail(db, askedAt, id, day)
    }
    document.addEventListener('visibilitychange', askAgain)
    return () => document.removeEventListener('visibilitychange', askAgain)
  }, [db, online, clock, id, day])
  return fetchStateOf(interest, since, online)
}

/**
 * State of the fetch request since the screen opened. An answer with content counts as on its way until the
 * content is on the device.
 */
function fetchStateOf(
  interest: Interest | null | undefined,
  since: string,
  online: boolean,
): 'asked' | 'missing' | 'none' {
  if (!online) return 'none'
  if (!interest || interest.state === 'asked' || interest.askedAt < since) return 'asked'
  if (interest.state === 'missing') return 'missing'
  return interest.state === 'answered' && interest.total > 0 ? 'asked' : 'none'
}

/** Why the details of a request are missing; null if the device has them. Requests nothing. */
export function useDetailAbsence({ id, workingDate, detail }: RequestRecord): Absence | null {
  const online = useOnline()
  const interest = useInterest(detailInterest(id, workingDate))
  if (detail !== null) return null
  return absenceOf(interest === undefined ? undefined : (interest?.state ?? null), online)
}
