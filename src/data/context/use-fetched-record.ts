/** Hooks that request records from the CRM and tell whether they may still arrive. */
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
  type Absence,
  absenceOf,
} from '#data/fetch-requests/interests.ts'
import { isoOf } from '#schemas/instant.ts'
import type { Interest } from '#schemas/device/interest.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'

/**
 * Reason why a record is not shown. `loading`: it may still arrive. `missing`: the CRM has no such record. `absent`: it
 * is not on the device.
 */
export type RecordAbsence = 'loading' | 'missing' | 'absent'

/** `since`: time at which the screen opened, ISO 8601. */
function useFetching() {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const [since] = useState(() => isoOf(clock.now()))
  return { clock, db, online, since }
}

const useInterest = (key: string) => useLiveQuery(`interest ${key}`, (db) => interest$(db, key))

/**
 * Requests the record of a screen once if it is not on the device, and returns the record or the reason of its absence.
 * @param found the record; undefined until the device is read, null if the device lacks it
 * @param always true to request the record even if it is on the device, because it may have changed (sync RULES PL9)
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
 * Requests several records once each.
 * @param ids ids of records that are not on the device; undefined until the device is read
 * @returns true while any of the records may still arrive
 */
export function useFetchedRecords(collection: FetchableCollection, ids: readonly string[] | undefined) {
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

/** Minimum time between two requests for the same details. */
const FRESH_MS = 5 * 60_000

/**
 * Requests the details of a request when its screen opens, and again when the page becomes visible (sync RULES PL5).
 * @param known false while the device is being read, because `workingDate` may then change; nothing is requested before
 * `known` is true
 * @returns `asked`: the answer is not on the device yet; `missing`: the CRM has no such request; `none`: neither applies
 */
export function useFreshDetail(id: string, workingDate: string, known: boolean) {
  const { clock, db, online, since } = useFetching()
  const [day, setDay] = useState<string | null>(null)
  // The first known day stays, so that a change of `workingDate` does not request the details again.
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
 * Returns what the CRM has answered since the screen opened. `asked`: no answer yet, or an answer with records that the
 * device has not stored yet.
 */
function fetchStateOf(interest: Interest | null | undefined, since: string, online: boolean) {
  if (!online) return 'none'
  if (!interest || interest.state === 'asked' || interest.askedAt < since) return 'asked'
  if (interest.state === 'missing') return 'missing'
  return interest.state === 'answered' && interest.total > 0 ? 'asked' : 'none'
}

/** Returns why the details of a request are missing; null if they are on the device. Requests nothing from the CRM. */
export function useDetailAbsence({ id, workingDate, detail }: RequestRecord): Absence | null {
  const online = useOnline()
  const interest = useInterest(detailInterest(id, workingDate))
  if (detail !== null) return null
  return absenceOf(interest === undefined ? undefined : (interest?.state ?? null), online)
}
