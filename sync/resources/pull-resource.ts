/** What the pull needs to know about a resource whose records belong to requests or to the user's company. */
import { type } from 'arktype'
import type { Interest } from '#schemas/device/interest.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { wireId } from '#schemas/declare/wire.ts'
import type { LocalRecord, PulledRow } from '../merge/pulled-row.ts'
import type { Paging } from '#sync/scheduler/read-pages.ts'
import type { Query } from '#sync/scheduler/api.ts'

/** Records that are read together: those of a request, visit, area or device. */
export interface RecordList {
  /** Id or key of what they belong to. */
  owner: string
  /** The requests on the device whose screens need them, most urgent first. */
  requests: RequestRecord[]
  /** Set if a screen has requested it. */
  asked?: Interest
}

/** One call that reads a list. */
interface ListCall {
  path: string
  query: Query
  /** Null if the CRM returns the whole list at once. */
  paging: Paging | null
}

/**
 * Where the rows come from. `list`: calls whose rows together are the list. `named`: records read one by one,
 * by the ids that the request named at `asOf` (a stamp). `isEmptyAt404`: per contract, 404 means an empty
 * list.
 */
export type ListSource =
  | { kind: 'list'; calls(list: RecordList, loginUserId: string): ListCall[]; isEmptyAt404?: true }
  | { kind: 'named'; path: string; ids(list: RecordList): string[]; asOf(list: RecordList): string }

export interface PullResource<R extends LocalRecord> {
  source: ListSource
  /**
   * The owners of the lists that a request needs; absent if the list belongs to the user's company (read once
   * a session).
   */
  owners?: (request: RequestRecord) => string[]
  /** How long its lists stay fresh (`freshness.ts`). */
  lifetime: 'lists' | 'seldom'
  /** What a request says about the list; if this text changes, the list is read again (PL5). */
  because(request: RequestRecord): string
  /** Selects the local records of an owner. */
  localSelector(owner: string): object
  /** The owner of a record's list. */
  ownerOf(record: R): string
  /** How one record is read by its id, and the owner that its row names; null if it names none. */
  one?: { path: string; ownerIn(raw: unknown): string | null }
  row(raw: unknown, list: RecordList): PulledRow<R> | type.errors
}

const ofRequest = type({ requestId: wireId })

/** The request id in a record's own row. */
export function requestIdIn(raw: unknown): string | null {
  const row = ofRequest(raw)
  return row instanceof type.errors ? null : row.requestId
}

/** The row of a request that was read last; what it names is valid for all its days. */
export const newestOf = (requests: readonly RequestRecord[]): RequestRecord | undefined =>
  requests.toSorted((a, b) => (a.readStamp > b.readStamp ? -1 : 1))[0]

/** The ids that `idsOf` finds in the request that was read last. */
export const namedByNewest = (
  requests: readonly RequestRecord[],
  idsOf: (request: RequestRecord) => string[],
) => [newestOf(requests) ?? []].flat().flatMap(idsOf)
