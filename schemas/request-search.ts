/** What the filters of 依頼検索 mean for one record. */
import type { RequestFilter } from './request-filter.ts'
import type { RequestRecord } from './request.ts'

/** Full-width letters and digits, case and spaces do not matter to someone who searches. */
export const foldText = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '')

type Searchable = Pick<
  RequestRecord,
  'workingDate' | 'requestCode' | 'locationName' | 'customerName' | 'orderFlag' | 'emergency'
>

/** Whether a record is among what the filter asks for; `requestCode` by prefix, names by part (crm-contract 4). */
export function matchesFilter(record: Searchable, filter: RequestFilter): boolean {
  const { from, to, requestCode, locationName, customerName, orderFlags, emergencyOnly } = filter
  if (from && record.workingDate < from) return false
  if (to && record.workingDate > to) return false
  if (emergencyOnly && !record.emergency) return false
  if (orderFlags.length > 0 && !orderFlags.includes(record.orderFlag ?? '')) return false
  if (requestCode && !foldText(record.requestCode).startsWith(foldText(requestCode))) return false
  if (locationName && !foldText(record.locationName).includes(foldText(locationName))) return false
  return !customerName || foldText(record.customerName ?? '').includes(foldText(customerName))
}
