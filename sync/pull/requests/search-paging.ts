/** A search of the CRM, page by page (crm-contract 4: `request/search`). */
import { PAGE_SIZE, READS_AT_ONCE } from '#schemas/limits.ts'
import { flagsFoundBy } from '#schemas/resources/order-flag.ts'
import type { RequestFilter } from '#schemas/resources/request-filter.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { legible } from '#schemas/text.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { ParsedPage, Snapshot } from '#sync/pull/engine/reconcile.ts'
import type { Question } from '#sync/storage/interests.ts'
import { nextOffset, type Page } from '#sync/pull/engine/snapshot.ts'
import type { ReadMark } from '#sync/wire/request.ts'

/**
 * A search in progress: that of the window, or that of a screen. The engine has its pages (`snapshot.ts`).
 */
export interface Search {
  /** Name of its reads. */
  name: string
  filter: RequestFilter
  question: Question | null
  /** Stamp taken before its first page was requested. */
  stamp: string
  /** Pages that were requested ahead, by offset. */
  coming: ReadonlyMap<number, Promise<PageRead>>
  /** Days of unreadable rows: no screen may say that these days have none. */
  unreadDays: Set<string>
}

interface PageRead {
  read: ReadMark
  outcome: Outcome
}

/** Maximum pages under way at once: one place of the read queue stays free for a screen. */
const PAGES_AT_ONCE = READS_AT_ONCE - 1

export const NO_CONDITIONS = {
  requestCode: '',
  locationName: '',
  customerName: '',
  orderFlags: [],
  emergencyOnly: false,
}
export const NO_FILTER: RequestFilter = { from: '', to: '', ...NO_CONDITIONS }

export const newSearch = (
  search: Pick<Search, 'name' | 'filter' | 'stamp'>,
  question: Question | null = null,
): Search => ({ ...search, question, coming: new Map(), unreadDays: new Set() })

/** A page of rows in the form that a snapshot counts. */
export const pageOf = (parsed: ParsedPage, total: number | null): Extract<Page, { kind: 'page' }> => ({
  kind: 'page',
  keys: [...parsed.rows.map((row) => visitKey(row.id, row.workingDate)), ...parsed.skippedKeys],
  size: parsed.rows.length + parsed.problems.length,
  total,
  unreadable: parsed.unreadable,
})

/** A text without spaces around it and without invisible characters; no-break spaces become plain. */
const searchText = (text: string): string =>
  legible(text)
    .replaceAll(/[^\S\u3000]/g, ' ')
    .trim()

/** The query of `request/search` (crm-contract 4). */
export const searchQuery = (filter: RequestFilter) => ({
  workingDateFrom: filter.from,
  workingDateTo: filter.to,
  requestCode: searchText(filter.requestCode),
  locationName: searchText(filter.locationName),
  customerName: searchText(filter.customerName),
  orderFlag: flagsFoundBy(filter.orderFlags).join(','),
  emergencyFlag: filter.emergencyOnly ? '1' : '',
})

/**
 * Reads the page after the snapshot. Once the number of rows is known, the next pages are requested ahead;
 * after a failure these are discarded.
 */
export async function readNextPage(
  search: Search,
  snapshot: Snapshot,
  readAt: (offset: number) => Promise<PageRead>,
): Promise<PageRead> {
  const offset = nextOffset(snapshot)
  const current = search.coming.get(offset) ?? readAt(offset)
  const coming = new Map<number, Promise<PageRead>>()
  const total = snapshot.totals.at(-1) ?? null
  for (let n = 1; n < PAGES_AT_ONCE; n++) {
    const ahead = offset + n * PAGE_SIZE
    const known = search.coming.get(ahead)
    if (!known && (total === null || ahead > total)) break
    const page = known ?? readAt(ahead)
    // Avoids an unhandled rejection; the error is handled if the page is needed.
    page.catch(() => undefined)
    coming.set(ahead, page)
  }
  search.coming = new Map()
  const page = await current
  if (page.outcome.kind === 'accepted') search.coming = coming
  return page
}
