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

/** A search being paged through: the window, or what a screen asked for. Its pages are the engine's (`snapshot.ts`). */
export interface Search {
  /** What its reads are known by. */
  name: string
  filter: RequestFilter
  question: Question | null
  /** Taken before its first page was asked for. */
  stamp: string
  /** The pages that were asked for already, by their offsets. */
  coming: ReadonlyMap<number, Promise<PageRead>>
  /** The days of rows that could not be read: nobody may say of them that there is none. */
  unreadDays: Set<string>
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

export const newSearch = (
  search: Pick<Search, 'name' | 'filter' | 'stamp'>,
  question: Question | null = null,
): Search => ({ ...search, question, coming: new Map(), unreadDays: new Set() })

/** A page of rows as a snapshot counts it. */
export const pageOf = (parsed: ParsedPage, total: number | null): Extract<Page, { kind: 'page' }> => ({
  kind: 'page',
  keys: [...parsed.rows.map((row) => visitKey(row.id, row.workingDate)), ...parsed.skippedKeys],
  size: parsed.rows.length + parsed.problems.length,
  total,
  unreadable: parsed.unreadable,
})

/** A text without spaces around it and without invisible characters; no-break spaces become plain. */
const asked = (text: string): string =>
  legible(text)
    .replaceAll(/[^\S\u3000]/g, ' ')
    .trim()

/** The query of `request/search` (crm-contract 4). */
export const searchQuery = (filter: RequestFilter) => ({
  workingDateFrom: filter.from,
  workingDateTo: filter.to,
  requestCode: asked(filter.requestCode),
  locationName: asked(filter.locationName),
  customerName: asked(filter.customerName),
  orderFlag: flagsFoundBy(filter.orderFlags).join(','),
  emergencyFlag: filter.emergencyOnly ? '1' : '',
})

/**
 * The page after those of the snapshot. Once a page has said how many rows there are, the next ones are asked for
 * meanwhile; after a failure none of these counts.
 */
export async function readNextPage(
  search: Search,
  snapshot: Snapshot,
  readAt: (offset: number) => Promise<PageRead>,
): Promise<PageRead> {
  const offset = nextOffset(snapshot)
  const now = search.coming.get(offset) ?? readAt(offset)
  const coming = new Map<number, Promise<PageRead>>()
  const total = snapshot.totals.at(-1) ?? null
  for (let n = 1; n < PAGES_AT_ONCE; n++) {
    const ahead = offset + n * PAGE_SIZE
    const known = search.coming.get(ahead)
    if (!known && (total === null || ahead > total)) break
    const page = known ?? readAt(ahead)
    // it is heard when its turn comes, if it ever does
    page.catch(() => undefined)
    coming.set(ahead, page)
  }
  search.coming = new Map()
  const page = await now
  if (page.outcome.kind === 'accepted') search.coming = coming
  return page
}
