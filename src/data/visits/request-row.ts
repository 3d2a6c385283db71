/** A request as lists, filters and counts know it. */
import type { RequestRecord } from '#schemas/resources/request.ts'

/** What a list shows of a request, and a filter looks at. */
export type RequestRow = Pick<
  RequestRecord,
  | 'key'
  | 'id'
  | 'workingDate'
  | 'sortKey'
  | 'requestCode'
  | 'locationName'
  | 'locationAreaId'
  | 'customerName'
  | 'orderFlag'
  | 'emergency'
  | 'workingStartTime'
  | 'workingEndTime'
  | 'confirmedAt'
  | 'quickReport'
>

export interface ListedRequest extends RequestRow {
  /** Where a map looks for it, and the number of its 入館連絡先; null where it says none. */
  address: string | null
  tel: string | null
  /** Ids of the devices that its details name, as far as they are known. */
  devices: readonly string[]
  /** The lists that its screens need (PL4); null where not even its details are known. */
  needs: readonly string[] | null
}
