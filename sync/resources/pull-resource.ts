/** What the pull asks of a resource whose records hang on requests, or on the user's company. */
import { type } from 'arktype'
import type { Interest } from '#schemas/device/interest.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { wireId } from '#schemas/declare/wire.ts'
import type { LocalRecord, PulledRow } from '../merge/pulled-row.ts'
import type { Paging } from '#sync/scheduler/read-pages.ts'
import type { Query } from '#sync/scheduler/api.ts'

/** Records that are read together: of a request, a visit, an area, a device. */
export interface RecordList {
  /** The id or key of what they belong to. */
  owner: string
  /** The requests on the device whose screens need them, most urgent first. */
  requests: RequestRecord[]
  /** A screen would like to have it now. */
  asked?: Interest
}

interface ListCall {
  path: string
  query: Query
  /** null where the CRM gives the whole list at once. */
  paging: Paging | null
}

/**
 * Where the rows come from: list calls, all of whose rows together are the list; or records read one by one by the ids
 * that the request names, as they were known at `asOf` (a stamp). `isEmptyAt404`: the contract says so of this list.
 */
export type ListSource =
  | { kind: 'list'; calls(list: RecordList, loginUserId: string): ListCall[]; isEmptyAt404?: true }
  | { kind: 'named'; path: string; ids(list: RecordList): string[]; asOf(list: RecordList): string }

export interface PullResource<R extends LocalRecord> {
  source: ListSource
  /** What each request needs; absent where the list belongs to the user's company (read once a session). */
  owners?: (request: RequestRecord) => string[]
  /** How long they hold (`freshness.ts`). */
  kept: 'lists' | 'seldom'
  /** What a request says about the list: another word, and it is read again (PL5). */
  because(request: RequestRecord): string
  /** The field of the records that holds the owner, or makes it out. */
  localSelector(owner: string): object
  /** The owner whose list a record is in. */
  ownerOf(record: R): string
  /** How one is read by its id, and the owner that the row names; null where it names none. */
  one?: { path: string; ownerIn(raw: unknown): string | null }
  row(raw: unknown, list: RecordList): PulledRow<R> | type.errors
}

const ofRequest = type({ requestId: wireId })

/** The request that a row of its own says it belongs to. */
export function requestIdIn(raw: unknown): string | null {
  const row = ofRequest(raw)
  return row instanceof type.errors ? null : row.requestId
}

/** Of the days of one request the row that was read last: what it names holds for all. */
export const newestOf = (requests: readonly RequestRecord[]): RequestRecord | undefined =>
  requests.toSorted((a, b) => (a.readStamp > b.readStamp ? -1 : 1))[0]

/** What it names. */
export const namedByNewest = (
  requests: readonly RequestRecord[],
  idsOf: (request: RequestRecord) => string[],
) => [newestOf(requests) ?? []].flat().flatMap(idsOf)
