/** A search of the CRM, page by page (crm-contract 4: `request/search`). */
import type { Interest } from '#schemas/interest.ts'
import { FIRST_OFFSET, PAGE_SIZE, READS_AT_ONCE } from '#schemas/limits.ts'
import type { RequestFilter } from '#schemas/request-filter.ts'
import { visitKey } from '#schemas/visit-key.ts'
import type { Outcome } from '../transport/outcome.ts'
import type { ParsedPage } from '../merge/reconcile.ts'
import type { ReadMark } from '../wire/request.ts'

/** A search being paged through: the window, or what a screen asked for. */
export interface Paging {
  filter: RequestFilter
  interest: Interest | null
  offset: number
  seen: Set<string>
  counted: number
  totals: (number | null)[]
  unreadable: boolean
  /** Something is missing from it, and it was not believed (RULES PL6). */
  isDoubted: boolean
  /** The pages from `offset` on that were asked for already. */
  coming: Promise<PageRead>[]
}

interface PageRead {
  read: ReadMark
  outcome: Outcome
}

/** One read stays free for what a screen asks for meanwhile. */
const PAGES_AT_ONCE = READS_AT_ONCE - 1

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
  isDoubted: false,
  coming: [],
})
export const pagingOf = (interest: Interest) => newPaging(interest.filter ?? NO_FILTER, interest)

/** A CRM that knows no `offset` gives its first page for ever, and without a total nothing else would end it. */
const PAGES_MOST = 1_000

/**
 * Adds a page that was read.
 * @param size of its rows, the unreadable ones too
 * @returns whether it is the last one because it brings nothing new (RULES PL7): such a snapshot is not complete
 */
export function addPage(paging: Paging, page: ParsedPage, size: number, total: number | null): boolean {
  const before = paging.seen.size
  for (const row of page.rows) paging.seen.add(visitKey(row.id, row.workingDate))
  for (const key of page.skippedKeys) paging.seen.add(key)
  const isEndless =
    (paging.totals.length > 0 && size > 0 && paging.seen.size === before) ||
    paging.totals.length + 1 >= PAGES_MOST
  paging.counted += size
  paging.totals.push(total)
  paging.unreadable ||= page.unreadable || isEndless
  paging.offset += PAGE_SIZE
  return isEndless
}

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

/**
 * The page at `offset`. Once a page has said how many rows there are, the next ones are asked for meanwhile; after a
 * failure none of these counts.
 */
export async function readNextPage(
  paging: Paging,
  readAt: (offset: number) => Promise<PageRead>,
): Promise<PageRead> {
  const total = paging.totals.at(-1) ?? null
  const [now = readAt(paging.offset), ...coming] = paging.coming
  while (total !== null && coming.length < PAGES_AT_ONCE - 1) {
    const offset = paging.offset + (coming.length + 1) * PAGE_SIZE
    if (offset > total) break
    const ahead = readAt(offset)
    // it is heard when its turn comes, if it ever does
    ahead.catch(() => undefined)
    coming.push(ahead)
  }
  paging.coming = []
  const page = await now
  if (page.outcome.kind === 'accepted') paging.coming = coming
  return page
}
