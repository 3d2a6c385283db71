/** Reads searches of the CRM, by days or by a user's conditions, page by page (crm-contract 4; RULES PL1, PL5, PL7). */
import type { WithDeleted } from 'rxdb'
import { isoOf } from '#schemas/instant.ts'
import { PAGE_SIZE, READS_AT_ONCE } from '#schemas/limits.ts'
import { flagsFoundBy } from '#schemas/resources/request-search.ts'
import type { RequestFilter } from '#schemas/device/interest.ts'
import type { RequestRecord, RequestWire } from '#schemas/resources/request.ts'
import { visitIn, visitKey } from '#schemas/resources/visit-key.ts'
import { legible } from '#schemas/text.ts'
import { type ParsedRows, reportProblems } from '#sync/lib/attempt.ts'
import { inSlices } from '#sync/lib/slices.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import type { Merge, Merged, Work } from '#sync/pull/engine/work.ts'
import { readable } from '#sync/scheduler/read-backoff.ts'
import {
  isComplete,
  isNotList,
  isReadToEnd,
  nextOffset,
  NO_PAGES,
  withPage,
  type Page,
  type Snapshot,
} from '#sync/scheduler/read-pages.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { ReadMark } from '#sync/wire/request.ts'
import type { FetchRequest } from '#sync/storage/fetch-requests.ts'
import { changedRecordsInSlices, parseRequestPageInSlices } from './reconcile.ts'
import type { RequestReads } from './request-memory.ts'
import type { Range } from './rounds.ts'

type Doc = WithDeleted<RequestRecord>

export interface Search {
  name: string
  filter: RequestFilter
  /** The days that a background pull reads; null if a screen searches. */
  range: Range | null
  mark: ReadMark
  /** The screen's fetch request, or the user's 更新, that the search answers. */
  fetchRequest: FetchRequest | undefined
  /** The pages that were read and merged. */
  snapshot: Snapshot
  /** Pages whose call was made ahead of time, by offset. */
  coming: Map<number, Promise<PageRead>>
  /** Days of unreadable rows: no screen may say that these days have no requests. */
  unreadDays: Set<string>
}

type PageRead = { mark: ReadMark; outcome: Outcome }

export interface Removals {
  /** Deletions of local requests that the search did not return. */
  docs: Doc[]
  /** True if local records that the answer lacks stay, because the answer is doubted (RULES PL6). */
  isDoubted: boolean
  /** True if a second search follows at once, because the only doubt is that rows have moved between pages. */
  isReadAgain: boolean
}
export const NONE_REMOVED: Removals = { docs: [], isDoubted: false, isReadAgain: false }

export interface SearchEnd extends Omit<Removals, 'docs'> {
  state: 'answered' | 'failed'
  /** Number of rows: the CRM's count or, without one, the number of rows that were read. */
  total: number
  isReadToEnd: boolean
}

/** Maximum number of pages that are read at once: one place of the read queue stays free for a screen. */
const PAGES_AT_ONCE = READS_AT_ONCE - 1

const TEXTS = { requestCode: '', locationName: '', customerName: '' }
export const NO_CONDITIONS = { ...TEXTS, orderFlags: [], emergencyOnly: false }
export const NO_FILTER: RequestFilter = { from: '', to: '', ...NO_CONDITIONS }

export const markNow = (clock: Pick<PullClock, 'now' | 'stamp'>): ReadMark => ({
  stamp: clock.stamp(),
  at: isoOf(clock.now()),
})

export const newSearch = (search: Omit<Search, 'snapshot' | 'coming' | 'unreadDays'>): Search => {
  return { ...search, snapshot: NO_PAGES, coming: new Map(), unreadDays: new Set() }
}

/** Converts the rows of a page to the form that a snapshot counts. */
export const pageOf = (
  { rows, skipped, problems, unreadable }: ParsedRows<RequestWire>,
  total: number | null,
): Page => ({
  keys: [...rows.map((row) => visitKey(row.id, row.workingDate)), ...skipped],
  size: rows.length + problems.length,
  total,
  unreadable,
})

/** Removes invisible characters and outer blanks. No-break spaces within the text become normal spaces. */
const searchText = (text: string): string =>
  legible(text)
    .replaceAll(/[^\S\u3000]/g, ' ')
    .trim()

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
 * Reads the next page. Once the number of rows is known, further pages are read at the same time, and kept if the next
 * page succeeds.
 */
async function readNextPage(
  { snapshot, coming }: Search,
  readAt: (offset: number) => Promise<PageRead>,
): Promise<PageRead> {
  const offset = nextOffset(snapshot)
  const total = snapshot.totals.at(-1) ?? offset
  const end = Math.min(total, offset + (PAGES_AT_ONCE - 1) * PAGE_SIZE)
  const current = coming.get(offset) ?? readAt(offset)
  const later = new Map<number, Promise<PageRead>>()
  for (let at = offset + PAGE_SIZE; at <= end; at += PAGE_SIZE) later.set(at, coming.get(at) ?? readAt(at))
  // Prevents an unhandled rejection. The error is handled when the page is needed.
  for (const ahead of later.values()) ahead.catch(() => undefined)
  coming.clear()
  const page = await current
  if (page.outcome.kind === 'accepted') for (const [at, ahead] of later) coming.set(at, ahead)
  return page
}

/**
 * The read of a search's next page. The last page of a complete search removes the requests that the search lacks (PL1).
 * @param finish ends the search, and returns the answer to its fetch request
 */
export const searchWork = (
  reads: RequestReads,
  removalsOf: (search: Search) => Promise<Removals>,
  search: Search,
  finish: (end: SearchEnd) => Omit<Merged<Doc>, 'docs'>,
): Pick<Work<Doc>, 'name' | 'fetchRequest' | 'read'> => ({
  name: search.name,
  fetchRequest: search.fetchRequest,
  async read(options): Promise<Merge<Doc>> {
    const { api, gate, clock, supplierStaffId, report } = reads
    const query = { supplierStaffId, ...searchQuery(search.filter), limit: PAGE_SIZE }
    const { mark, outcome } = await readNextPage(search, async (offset) => ({
      mark: markNow(clock),
      outcome: await api.read('request/search', { ...query, offset }, options),
    }))
    const answer = readable(gate, outcome)
    if (answer.kind !== 'accepted' || isNotList(answer.body)) {
      report(`request/search: ${answer.status}`)
      const end = { ...NONE_REMOVED, state: 'failed', total: totalOf(search), isReadToEnd: false } as const
      return async () => ({ docs: [], ...finish(end) })
    }
    const parsed = await inSlices(parseRequestPageInSlices(answer.body))
    reportProblems(report, 'request/search', parsed.problems)
    // If no row can be parsed, the search has failed: no screen may say that there are no requests (RULES PL2, PL4).
    const isUnreadable = answer.body !== null && parsed.rows.length === 0 && parsed.problems.length > 0
    const page = pageOf({ ...parsed, unreadable: parsed.unreadable || isUnreadable }, answer.total)
    return async () => {
      const { snapshot, isLast, isEndless } = withPage(search.snapshot, page)
      if (isEndless) report('request/search: pages without an end')
      const docs = await changedBy(reads, search, parsed, mark)
      const isWhole = isLast && isComplete(snapshot)
      const removed = isWhole ? await removalsOf({ ...search, snapshot }) : NONE_REMOVED
      search.snapshot = snapshot
      if (!isLast) return { docs }
      const state = isUnreadable ? 'failed' : 'answered'
      const end = { ...removed, state, total: totalOf(search), isReadToEnd: isReadToEnd(snapshot) } as const
      return { docs: [...docs, ...removed.docs], ...finish(end) }
    }
  },
})

async function changedBy(
  { memory, report }: RequestReads,
  search: Search,
  page: ParsedRows<RequestWire>,
  mark: ReadMark,
): Promise<Doc[]> {
  for (const key of page.skipped) search.unreadDays.add(visitIn(key)?.workingDate ?? '')
  const local = await memory.local(pageOf(page, null).keys)
  const skipped = (problem: string) => report(`request/search: ${problem}`)
  const records = await inSlices(changedRecordsInSlices(page.rows, local, mark, skipped))
  memory.noteWrites(records)
  return records.map((record) => ({ ...record, _deleted: false }))
}

const totalOf = ({ snapshot: { totals, counted } }: Search): number => totals.at(-1) ?? counted
