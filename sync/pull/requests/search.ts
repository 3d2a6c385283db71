/** Reads searches of the CRM, by days or by a user's conditions, page by page (crm-contract 4; RULES PL1, PL5, PL7). */
import type { WithDeleted } from 'rxdb'
import { PAGE_SIZE, READS_AT_ONCE, ROW_CONFIRM_MS } from '#schemas/limits.ts'
import { flagsFoundBy } from '#schemas/resources/request-search.ts'
import type { RequestFilter } from '#schemas/device/interest.ts'
import {
  requestRowKey,
  requestWire,
  type RequestRecord,
  type RequestWire,
} from '#schemas/resources/request.ts'
import { visitIn, visitKey } from '#schemas/resources/visit-key.ts'
import { legible } from '#schemas/text.ts'
import { attempt, parseRowsInSlices, reportProblems, type ParsedRows } from '#sync/wire/declared.ts'
import { inSlices, type Sliced } from '#sync/lib/slices.ts'
import type { Merge, Merged, Work } from '#sync/pull/engine/work.ts'
import { readable } from '#sync/scheduler/read-backoff.ts'
import {
  NO_PAGES,
  isComplete,
  isNotList,
  isReadToEnd,
  nextOffset,
  withPage,
  type Page,
  type Snapshot,
} from '#sync/scheduler/read-pages.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { toRequestRecord, type ReadMark } from '#sync/wire/request.ts'
import type { FetchRequest } from '#sync/storage/database.ts'
import { markNow, type RequestReads } from './request-details.ts'
import { type } from 'arktype'
import { deepEqual } from 'rxdb/plugins/core'

type Doc = WithDeleted<RequestRecord>

/** The days that a round reads. `near`: today and tomorrow. `window`: all days that the device keeps. */
export type Range = 'near' | 'window'

/** `range`: the days that a background pull reads; null if a screen searches. */
export interface Search {
  name: string
  filter: RequestFilter
  range: Range | null
  mark: ReadMark
  /** The screen's fetch request, or the user's 更新, that the search answers. */
  fetchRequest: FetchRequest | undefined
  snapshot: Snapshot
  /** Pages whose call was made ahead of time, by offset. */
  coming: Map<number, Promise<PageRead>>
  /** Days of unreadable rows: no screen may say that these days have no requests. */
  unreadDays: Set<string>
}

type PageRead = { mark: ReadMark; outcome: Outcome }

/**
 * `docs`: deletions of local requests that the search lacks. `isDoubted`: some stay, because the answer is doubted (PL6).
 * `isReadAgain`: a second search follows at once, because the only doubt is that rows have moved between pages.
 */
export type Removals = { docs: Doc[]; isDoubted: boolean; isReadAgain: boolean }
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

export function searchQuery(filter: RequestFilter) {
  /** Removes invisible characters and outer blanks. No-break spaces within the text become normal spaces. */
  const textOf = (name: keyof typeof TEXTS) =>
    legible(filter[name])
      .replaceAll(/[^\S\u3000]/g, ' ')
      .trim()
  return {
    workingDateFrom: filter.from,
    workingDateTo: filter.to,
    requestCode: textOf('requestCode'),
    locationName: textOf('locationName'),
    customerName: textOf('customerName'),
    orderFlag: flagsFoundBy(filter.orderFlags).join(','),
    emergencyFlag: filter.emergencyOnly ? '1' : '',
  }
}

/** Reads the next page, and further ones at the same time once their number is known, kept if the next page succeeds. */
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

/** The read of a search's next page. The last page of a complete search removes the requests that the search lacks (PL1). */
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
  const skipped = ({ workingDate }: RequestWire, problem: string) => {
    search.unreadDays.add(workingDate)
    report(`request/search: ${problem}`)
  }
  const records = await inSlices(changedRecordsInSlices(page.rows, local, mark, skipped))
  memory.noteWrites(records)
  return records.map((record) => ({ ...record, _deleted: false }))
}

const totalOf = ({ snapshot: { totals, counted } }: Search): number => totals.at(-1) ?? counted

export function* parseRequestPageInSlices(body: unknown): Sliced<ParsedRows<RequestWire>> {
  if (!Array.isArray(body)) return { rows: [], skipped: [], unreadable: true, problems: ['not a list'] }
  return yield* parseRowsInSlices(
    body,
    (raw) => requestWire(raw),
    (raw) => {
      const key = requestRowKey(raw)
      return key instanceof type.errors ? key : visitKey(key.id, key.workingDate)
    },
  )
}

/**
 * Returns the records that a page changes: new, changed, or last confirmed an hour ago, because expiry counts from the
 * confirmation (EX1). A record that was read after this page does not change (PL9).
 */
export function* changedRecordsInSlices(
  rows: readonly RequestWire[],
  local: ReadonlyMap<string, RequestRecord>,
  mark: ReadMark,
  skipped: (row: RequestWire, problem: string) => void = () => undefined,
): Sliced<RequestRecord[]> {
  const isChanged = (converted: RequestRecord, previous: RequestRecord | undefined) =>
    !previous ||
    (isDifferent(converted, previous) && previous.readStamp <= mark.stamp) ||
    // `Math.abs`: a wrong clock may have stamped the last confirmation in the future (RULES EX3).
    Math.abs(Date.parse(mark.at) - Date.parse(previous.confirmedAt)) >= ROW_CONFIRM_MS
  const changed: RequestRecord[] = []
  for (const row of rows) {
    yield
    const previous = local.get(visitKey(row.id, row.workingDate))
    const converted = attempt(() => toRequestRecord(row, previous, mark))
    if (converted.kind === 'unreadable') skipped(row, converted.problem)
    else if (isChanged(converted.value, previous)) changed.push(converted.value)
  }
  return changed
}

/** Compares the fields too, because a read by id changes fields without changing the digest of the row. */
const isDifferent = (converted: RequestRecord, previous: RequestRecord): boolean =>
  previous.rowDigest !== converted.rowDigest ||
  (Object.keys(converted) as (keyof RequestRecord)[]).some(
    (name) => !READ_FIELDS.includes(name) && !deepEqual(converted[name], previous[name]),
  )

/** Fields that describe when the record was read. They differ with every read. */
const READ_FIELDS: readonly (keyof RequestRecord)[] = ['readStamp', 'confirmedAt', 'detailConfirmedAt']
