/** The filters of 依頼検索 (screens: request), and what they mean for one record: the same for device and CRM. */
import { type } from 'arktype'
import type { RequestRecord } from './request.ts'

export const requestFilter = type({
  /** YYYY-MM-DD or '' */
  from: 'string',
  to: 'string',
  requestCode: 'string',
  locationName: 'string',
  customerName: 'string',
  /** Order flags to show; empty = all. */
  orderFlags: 'string[]',
  emergencyOnly: 'boolean',
})
export type RequestFilter = typeof requestFilter.infer

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
