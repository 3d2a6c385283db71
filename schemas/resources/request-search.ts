/** Applies the filters of 依頼検索 to records, and names their order flags. */
import type { RequestFilter } from '../device/interest.ts'
import type { RequestRecord } from './request.ts'
import { searchText } from '#schemas/text.ts'
import { OrderFlag, OrderFlagName } from '#schemas/codes.ts'

export const asksForDaysOnly = (filter: RequestFilter): boolean =>
  filter.orderFlags.length === 0 &&
  !filter.emergencyOnly &&
  [filter.requestCode, filter.locationName, filter.customerName].every((text) => searchText(text) === '')

type Searchable = Pick<
  RequestRecord,
  'workingDate' | 'requestCode' | 'locationName' | 'customerName' | 'orderFlag' | 'emergency'
>

/**
 * Returns a predicate for the filter: `requestCode` must be a prefix, names can be substrings (crm-contract 4).
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

/** The flags that the filter 種別 finds. 保守 also finds 保守（請求）, which has no checkbox. */
export const flagsFoundBy = (ticked: readonly string[]): string[] =>
  ticked.flatMap((flag) =>
    flag === OrderFlag.code.maintenance ? [flag, OrderFlag.code.maintenanceBilling] : flag,
  )

/** The short name of a flag, or its full name without one: `8` → 保守（請求）. */
export const orderFlagLabel = (flag: string) =>
  OrderFlagName.has(flag) ? OrderFlagName.label(flag) : OrderFlag.label(flag)
