/** A request as lists, filters and counts know it, and its values as JSON says them where it is kept between two starts. */
import type { RequestRecord } from '#schemas/request.ts'

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

export type RowValues = [
  ...[workingDate: string, sortKey: string, id: string, requestCode: string, locationName: string],
  ...[locationAreaId: string | null, customerName: string | null, orderFlag: string | null],
  ...[emergency: boolean, start: string | null, end: string | null, confirmedAt: string],
  ...[quickReport: ListedRequest['quickReport'], address: string | null, tel: string | null],
  needs: readonly string[] | null,
]

/** A row as it is kept: what comes back is what went. @param same one string for each text */
export const keptRow = (same: (text: string) => string) => ({
  toValues: (row: ListedRequest): RowValues => [
    ...([row.workingDate, row.sortKey, row.id, row.requestCode, row.locationName] as const),
    ...([row.locationAreaId, row.customerName, row.orderFlag, row.emergency] as const),
    ...([row.workingStartTime, row.workingEndTime, row.confirmedAt, row.quickReport] as const),
    ...([row.address, row.tel, row.needs] as const),
  ],
  ofValues(key: string, values: RowValues): ListedRequest {
    const orNull = (text: string | null) => text && same(text)
    const [workingDate, sortKey, id, requestCode, locationName, ...rest] = values
    const [locationAreaId, customerName, orderFlag, emergency, start, end, confirmedAt, ...last] = rest
    const [quickReport, address, tel, needs] = last
    return {
      key,
      id,
      sortKey,
      requestCode,
      emergency,
      quickReport,
      workingDate: same(workingDate),
      locationName: same(locationName),
      locationAreaId: orNull(locationAreaId),
      customerName: orNull(customerName),
      orderFlag: orNull(orderFlag),
      workingStartTime: orNull(start),
      workingEndTime: orNull(end),
      confirmedAt: same(confirmedAt),
      address: orNull(address),
      tel: orNull(tel),
      needs: needs?.map(same) ?? null,
      // of what is kept apart (request-parts.ts)
      devices: [],
    }
  },
})
