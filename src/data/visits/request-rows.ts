/** Requests on the device as lists, filters and counts know them: small rows in memory, in the order of day and time. */
import { distinctUntilChanged, map, throttleTime, type Observable } from 'rxjs'
import { PREFETCH_KEYS } from '#schemas/collections/prefetch-keys.ts'
import { prefetchKeys } from '#schemas/collections/prefetch.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { searchText } from '#schemas/text.ts'
import { ownKey, rowKeyOf } from '#schemas/collections/shared.ts'
import { isSameJson } from '#lib/is-same.ts'
import type { Database } from '#data/database/database.ts'
import { perDatabase } from '#data/database/per-database.ts'
import type { ListedRequest } from './request-row.ts'
import { projection$ } from '#data/storage/projection.ts'

/** Working days, both ends included: `YYYY-MM-DD`. */
export interface DayRange {
  from: string
  to: string
}

export interface RequestRows {
  rows: readonly ListedRequest[]
  /** `searchText` with a memory: most texts occur in many rows. */
  fold: typeof searchText
  /** All requests of the device are in `rows`; else only those of some days. */
  isWhole: boolean
}

/** The lists that the screens of a request need; null where its details are not known. */
const needsOf = (request: RequestRecord): readonly string[] | null =>
  request.detail !== null && request.detailConfirmedAt !== '' ? prefetchKeys(request) : null

/** Makes rows; equal texts of all rows are one string, and an unchanged row is the same object. */
function createRowMaker() {
  const same = remembered((text) => text)
  const sameOrNull = (text: string | null | undefined) => (text ? same(text) : null)
  const known = new Map<string, ListedRequest>()
  const rowOf = (request: RequestRecord): ListedRequest => ({
    key: request.key,
    id: request.id,
    workingDate: same(request.workingDate),
    sortKey: request.sortKey,
    requestCode: request.requestCode,
    locationName: same(request.locationName),
    locationAreaId: request.locationAreaId && same(request.locationAreaId),
    customerName: request.customerName && same(request.customerName),
    orderFlag: request.orderFlag && same(request.orderFlag),
    emergency: request.emergency,
    workingStartTime: request.workingStartTime && same(request.workingStartTime),
    workingEndTime: request.workingEndTime && same(request.workingEndTime),
    confirmedAt: same(request.confirmedAt),
    quickReport: request.quickReport,
    address: sameOrNull(request.customerAddress),
    tel: sameOrNull(request.inLocationContact?.tel1),
    devices: (request.detail?.devices ?? []).map(({ deviceId }) => same(deviceId)),
    needs: needsOf(request)?.map(same) ?? null,
  })
  return {
    fold: remembered(searchText),
    rowOf(request: RequestRecord): ListedRequest {
      const row = rowOf(request)
      const before = known.get(row.key)
      if (before && isSameJson(before, row)) return before
      known.set(row.key, row)
      return row
    },
  }
}

const makers = new WeakMap<Database, ReturnType<typeof createRowMaker>>()

function rowMakerOf(db: Database) {
  const maker = makers.get(db) ?? createRowMaker()
  makers.set(db, maker)
  return maker
}

/** Every request on the device. Opens all of them: a start shows the rows of its days first (`rowsOfDays$`). */
export const requestRows$ = perDatabase((db): Observable<RequestRows> => {
  const { rowOf, fold } = rowMakerOf(db)
  let rows: readonly ListedRequest[] = []
  return projection$(db.requests, rowOf).pipe(
    map(({ parts }) => ({ rows: (rows = sorted(rows, parts)), fold, isWhole: true })),
  )
})

/** The requests of some days, found by an index: no other request is read or decrypted. */
export function rowsOfDays$(db: Database, { from, to }: DayRange): Observable<RequestRows> {
  const { rowOf, fold } = rowMakerOf(db)
  // sort keys begin with the working day
  const selector = { sortKey: { $gte: from, $lt: `${to}\uffff` } }
  return db.requests.find({ selector, sort: [{ sortKey: 'asc' }] }).$.pipe(
    map((docs) => docs.map((doc) => rowOf(doc.toJSON() as RequestRecord))),
    distinctUntilChanged<ListedRequest[]>(isSameJson),
    map((rows) => ({ rows, fold, isWhole: false })),
  )
}

/** Most rows keep their place: what is nearly in order is sorted in a tenth of the time. */
function sorted(
  before: readonly ListedRequest[],
  parts: ReadonlyMap<string, ListedRequest>,
): readonly ListedRequest[] {
  const stay = before.filter((row) => parts.get(row.key) === row)
  const known = new Set(stay)
  return [...stay, ...[...parts.values()].filter((row) => !known.has(row))].toSorted(bySortKey)
}

const bySortKey = (a: ListedRequest, b: ListedRequest) =>
  a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0

/** A first sync marks thousands of lists: what is drawn follows once a second. */
const MARKS_EVERY_MS = 1_000

/** The interests of kind prefetch, by their keys. */
const PREFETCHED = {
  from: rowKeyOf('interests', PREFETCH_KEYS.from),
  before: rowKeyOf('interests', PREFETCH_KEYS.before),
}

/** The lists of records that are on the device whole (schemas/prefetch). */
export const prefetched$ = perDatabase((db) =>
  projection$(db.lookups, ({ rowKey }) => ownKey('interests', rowKey), {
    keys: PREFETCHED,
    isOfClear: true,
  }).pipe(
    throttleTime(MARKS_EVERY_MS, undefined, { leading: true, trailing: true }),
    map(({ parts }): ReadonlySet<string> => new Set(parts.values())),
  ),
)

/** One result for each text, however many rows say it: for `text => text`, one string. */
function remembered(of: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const result = of(text)
    known.set(text, result)
    return result
  }
}
