/** Applies the filters of 依頼検索 to records. */
import { flagsFoundBy } from './order-flag.ts'
import type { RequestFilter } from './request-filter.ts'
import type { RequestRecord } from './request.ts'
import { searchText } from '#schemas/text.ts'

export const asksForDaysOnly = (filter: RequestFilter): boolean =>
  filter.orderFlags.length === 0 &&
  !filter.emergencyOnly &&
  [filter.requestCode, filter.locationName, filter.customerName].every((text) => searchText(text) === '')

type Searchable = Pick<
  RequestRecord,
  'workingDate' | 'requestCode' | 'locationName' | 'customerName' | 'orderFlag' | 'emergency'
>

/**
 * Returns a predicate for records that match the filter. `requestCode` must be a prefix, names can be substrings
 * (crm-contract 4).
 * @param fold `searchText`, or a version with a cache
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
