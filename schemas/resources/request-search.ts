/** What the filters of 依頼検索 mean for one record. */
import { flagsFoundBy } from './order-flag.ts'
import type { RequestFilter } from './request-filter.ts'
import type { RequestRecord } from './request.ts'
import { searchText } from '#schemas/text.ts'

/** Whether the days are all that it asks for. */
export const asksForDaysOnly = ({
  requestCode,
  locationName,
  customerName,
  orderFlags,
  emergencyOnly,
}: RequestFilter): boolean =>
  orderFlags.length === 0 &&
  !emergencyOnly &&
  [requestCode, locationName, customerName].every((text) => searchText(text) === '')

type Searchable = Pick<
  RequestRecord,
  'workingDate' | 'requestCode' | 'locationName' | 'customerName' | 'orderFlag' | 'emergency'
>

/**
 * Whether a record is among what the filter asks for; `requestCode` by prefix, names by part (crm-contract 4).
 * @param fold `searchText`, or one that remembers what it has folded
 */
export function matcherOf(filter: RequestFilter, fold = searchText): (record: Searchable) => boolean {
  const { from, to, emergencyOnly } = filter
  const orderFlags = flagsFoundBy(filter.orderFlags)
  const code = searchText(filter.requestCode)
  const location = searchText(filter.locationName)
  const customer = searchText(filter.customerName)
  return (record) => {
    if (from && record.workingDate < from) return false
    if (to && record.workingDate > to) return false
    if (emergencyOnly && !record.emergency) return false
    if (orderFlags.length > 0 && !orderFlags.includes(record.orderFlag ?? '')) return false
    if (code && !fold(record.requestCode).startsWith(code)) return false
    if (location && !fold(record.locationName).includes(location)) return false
    return !customer || fold(record.customerName ?? '').includes(customer)
  }
}
