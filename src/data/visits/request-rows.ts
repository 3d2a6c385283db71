/** The requests on the device as small rows in memory, ordered by day and time. */
import { distinctUntilChanged, firstValueFrom, map, throttleTime, type Observable } from 'rxjs'
import { PREFETCH_KEYS, prefetchKeys } from '#schemas/collections/prefetch.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { searchText } from '#schemas/text.ts'
import { ownKey, rowKeyOf } from '#schemas/collections/shared.ts'
import { cached } from '#lib/cached.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import { perDatabase, type Database } from '#data/database/database.ts'
import { projection$ } from '#data/storage/projection.ts'

/** Working days from `from` to `to`, both inclusive: `YYYY-MM-DD`. */
export type DayRange = { from: string; to: string }

export type ListedRequest = ReturnType<ReturnType<typeof createRowMaker>['rowOf']>

export interface RequestRows {
  rows: readonly ListedRequest[]
  /** `searchText` with a cache, because most texts occur in many rows. */
  fold: typeof searchText
  /** True if `rows` contains every request on the device; false if it contains only some days. */
  isWhole: boolean
}

/** Creates rows. To save memory, equal texts share one string. An unchanged row stays the same object. */
function createRowMaker() {
  const same = remembered((text: string) => text)
  const sameOrNull = (text: string | null | undefined) => (text ? same(text) : null)
  const needsOf = (request: RequestRecord) =>
    request.detail !== null && request.detailConfirmedAt !== '' ? prefetchKeys(request) : null
  const rowOf = (request: RequestRecord) => ({
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
    /** Ids of the machines in the details; empty if the details are unknown. */
    devices: (request.detail?.devices ?? []).map(({ deviceId }) => same(deviceId)),
    /** Keys of the lists that the request's screens show (PL4); null if the details are unknown. */
    needs: needsOf(request)?.map(same) ?? null,
  })
  const known = new Map<string, ReturnType<typeof rowOf>>()
  return {
    fold: remembered(searchText),
    rowOf(request: RequestRecord) {
      const row = rowOf(request)
      const before = known.get(row.key)
      if (before && isSameJson(before, row)) return before
      known.set(row.key, row)
      return row
    },
  }
}

/** Both queries below use the same maker, so that they emit the same object for an unchanged row. */
const makers = new WeakMap<Database, ReturnType<typeof createRowMaker>>()

const rowMakerOf = (db: Database) => cached(makers, db, createRowMaker)

/** Emits every request on the device. All must be decrypted, so a start first shows only some days (`rowsOfDays$`). */
export const requestRows$ = perDatabase((db): Observable<RequestRows> => {
  const { rowOf, fold } = rowMakerOf(db)
  let rows: readonly ListedRequest[] = []
  return projection$(db.requests, rowOf).pipe(
    map(({ parts }) => ({ rows: (rows = sorted(rows, parts)), fold, isWhole: true })),
  )
})

/** Emits the requests of a range of days, which an index finds, so that no other request is decrypted. */
export function rowsOfDays$(db: Database, { from, to }: DayRange): Observable<RequestRows> {
  const { rowOf, fold } = rowMakerOf(db)
  const selector = { sortKey: { $gte: from, $lt: `${to}\uffff` } }
  return db.requests.find({ selector, sort: [{ sortKey: 'asc' }] }).$.pipe(
    map((docs) => docs.map((doc) => rowOf(doc.toJSON() as RequestRecord))),
    distinctUntilChanged<ListedRequest[]>(isSameJson),
    map((rows) => ({ rows, fold, isWhole: false })),
  )
}

/** Returns the rows in order. Sorting begins with the previous order, which takes a tenth of the time. */
function sorted(before: readonly ListedRequest[], parts: ReadonlyMap<string, ListedRequest>) {
  const unchanged = before.filter((row) => parts.get(row.key) === row)
  const known = new Set(unchanged)
  return [...unchanged, ...[...parts.values()].filter((row) => !known.has(row))].toSorted(bySortKey)
}

const bySortKey = (a: ListedRequest, b: ListedRequest) =>
  a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0

/** Minimum interval in which `prefetched$` emits, because a first sync reads thousands of lists. */
const UPDATE_EVERY_MS = 1_000

/** Range of the row keys of the documents of kind `prefetch`, each of which stands for a list that was read. */
const PREFETCHED = {
  from: rowKeyOf('interests', PREFETCH_KEYS.from),
  before: rowKeyOf('interests', PREFETCH_KEYS.before),
}

/** Emits the keys of the lists that are completely on the device, from the row keys alone, which are not encrypted. */
export const prefetched$ = perDatabase((db) =>
  projection$(db.lookups, ({ rowKey }) => ownKey('interests', rowKey), {
    keys: PREFETCHED,
    onlyKeys: true,
  }).pipe(
    throttleTime(UPDATE_EVERY_MS, undefined, { leading: true, trailing: true }),
    map(({ parts }): ReadonlySet<string> => new Set(parts.values())),
  ),
)

/** Remembers a function's results by its argument. With `text => text`, equal texts become one string. */
export function remembered<A, B>(compute: (of: A) => B): (of: A) => B {
  const results = new Map<A, B>()
  return (of) => cached(results, of, () => compute(of))
}

/** Returns the ids of all requests at the same place as this request, including this request. */
export async function requestsOfPlace(db: Database, requestId: string): Promise<ReadonlySet<string>> {
  const { rows } = await firstValueFrom(requestRows$(db))
  const place = rows.find(({ id }) => id === requestId)?.locationAreaId
  return new Set([requestId, ...rows.flatMap((row) => (place && row.locationAreaId === place ? row.id : []))])
}
