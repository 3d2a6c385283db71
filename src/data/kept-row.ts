/** A row of the list as it is kept between two starts: its values, as JSON says them. */
import type { PartCodec } from './kept-parts.ts'
import type { ListedRequest } from './request-rows.ts'

export type RowValues = [
  ...[workingDate: string, sortKey: string, id: string, requestCode: string, locationName: string],
  ...[locationAreaId: string | null, customerName: string | null, orderFlag: string | null],
  ...[emergency: boolean, start: string | null, end: string | null, confirmedAt: string],
  ...[quickReport: ListedRequest['quickReport'], address: string | null, tel: string | null],
  needs: readonly string[] | null,
]

/** A row as it is kept: what comes back is what went. @param same one string for each text */
export const keptRow = (same: (text: string) => string): PartCodec<ListedRequest> => ({
  toValues: (row): RowValues => [
    ...([row.workingDate, row.sortKey, row.id, row.requestCode, row.locationName] as const),
    ...([row.locationAreaId, row.customerName, row.orderFlag, row.emergency] as const),
    ...([row.workingStartTime, row.workingEndTime, row.confirmedAt, row.quickReport] as const),
    ...([row.address, row.tel, row.needs] as const),
  ],
  ofValues(key, values) {
    const orNull = (text: string | null) => text && same(text)
    const [workingDate, sortKey, id, requestCode, locationName, ...rest] = values as RowValues
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
    }
  },
})
