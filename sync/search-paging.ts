/** A search of the CRM, page by page (crm-contract 4: `request/search`). */
import type { Interest } from '#schemas/interest.ts'
import { FIRST_OFFSET } from '#schemas/limits.ts'
import type { RequestFilter } from '#schemas/request-filter.ts'

/** A search being paged through: the window, or what a screen asked for. */
export interface Paging {
  filter: RequestFilter
  interest: Interest | null
  offset: number
  seen: Set<string>
  counted: number
  totals: (number | null)[]
  unreadable: boolean
}

export const NO_CONDITIONS = {
  requestCode: '',
  locationName: '',
  customerName: '',
  orderFlags: [],
  emergencyOnly: false,
}
export const NO_FILTER: RequestFilter = { from: '', to: '', ...NO_CONDITIONS }

export const newPaging = (filter: RequestFilter, interest: Interest | null): Paging => ({
  filter,
  interest,
  offset: FIRST_OFFSET,
  seen: new Set(),
  counted: 0,
  totals: [],
  unreadable: false,
})
export const pagingOf = (interest: Interest) => newPaging(interest.filter ?? NO_FILTER, interest)

/** The query of `request/search` (crm-contract 4). */
export const searchQuery = (filter: RequestFilter) => ({
  workingDateFrom: filter.from,
  workingDateTo: filter.to,
  requestCode: filter.requestCode,
  locationName: filter.locationName,
  customerName: filter.customerName,
  orderFlag: filter.orderFlags.join(','),
  emergencyFlag: filter.emergencyOnly ? '1' : '',
})
