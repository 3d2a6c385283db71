/** The documents of the comparison: requests as the app keeps them. */
import { requestWire, type RequestRecord } from '#schemas/resources/request.ts'
import { toRequestRecord } from '#sync/wire/request.ts'
import { detailOfRow, requestRows } from '../rows.mjs'

export function docs(count: number): RequestRecord[] {
  const now = Date.now()
  const at = new Date(now).toISOString()
  return requestRows(count, now).map((row, i) =>
    toRequestRecord(
      requestWire.assert({ ...row, ...detailOfRow(i) }),
      undefined,
      { stamp: '', at },
      'single',
    ),
  )
}
