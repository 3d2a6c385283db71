/** A request as lists, filters and counts use it. */
import type { RequestRecord } from '#schemas/resources/request.ts'

/** The fields that a list shows and a filter reads. */
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

/** A row with everything that the list derives from the request. */
export interface ListedRequest extends RequestRow {
  /** Address for a map, and phone number of the 入館連絡先; null if unknown. */
  address: string | null
  tel: string | null
  /** Ids of the devices in its details; empty if the details are unknown. */
  devices: readonly string[]
  /** Keys of the lists that its screens need (PL4); null if its details are unknown. */
  needs: readonly string[] | null
}
