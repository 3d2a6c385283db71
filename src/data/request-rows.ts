/** Every request on the device as lists, filters and counts know it: a small row in memory, in the order of day and time. */
import { map, throttleTime, type Observable } from 'rxjs'
import { PREFETCH_KEYS } from '#schemas/prefetch-keys.ts'
import { prefetchKeys } from '#schemas/prefetch.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { searchText } from '#schemas/text.ts'
import { ownKey, rowKeyOf } from '#schemas/shared.ts'
import { keptPartsOf } from './kept-parts.ts'
import { perDatabase } from './per-database.ts'
import type { ListedRequest } from './request-row.ts'
import { projection$ } from './storage/projection.ts'

/** The lists that the screens of a request need; null where its details are not known. */
const needsOf = (request: RequestRecord): readonly string[] | null =>
  request.detail !== null && request.detailConfirmedAt !== '' ? prefetchKeys(request) : null

export interface RequestRows {
  rows: readonly ListedRequest[]
  /** `searchText`, remembered: most texts stand in many rows. */
  fold: typeof searchText
}

export const requestRows$ = perDatabase((db): Observable<RequestRows> => {
  const same = remembered((text) => text)
  const sameOrNull = (text: string | null | undefined) => (text ? same(text) : null)
  const fold = remembered(searchText)
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
  const codec = async () => (await import('./request-parts.ts')).requestParts(same)
  let rows: readonly ListedRequest[] = []
  return projection$(db.requests, rowOf, { kept: keptPartsOf(db, 'requests', codec) }).pipe(
    map(({ parts }) => ({ rows: (rows = sorted(rows, parts)), fold })),
  )
})

/** Most stand as they stood: what is nearly in order is sorted in a tenth of the time. */
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
