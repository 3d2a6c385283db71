/** Reads lists of the CRM page by page, and says whether the pages are the whole list (crm-contract 2; RULES PL1, PL7). */
import { FIRST_OFFSET, PAGE_SIZE } from '#schemas/limits.ts'
import { wireId } from '#schemas/declare/wire.ts'
import { readOrNull } from '#sync/wire/declared.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Query, Reader } from '#sync/scheduler/api.ts'

/** `total`: the CRM's total, if it has one. `unreadable`: the key of a row is unknown. */
export interface Page {
  /** Keys of the page's rows, also of rows of which only the key could be parsed. */
  keys: readonly string[]
  size: number
  total: number | null
  unreadable: boolean
}

/** The pages read so far: keys and number of their rows, the CRM's total by page. `unreadable` also if ended early. */
export interface Snapshot {
  seen: ReadonlySet<string>
  counted: number
  totals: readonly (number | null)[]
  unreadable: boolean
}

export const NO_PAGES: Snapshot = { seen: new Set(), counted: 0, totals: [], unreadable: false }

/** Limit for a CRM that ignores `offset` and returns no total. */
const PAGES_MAX = 1_000

export const nextOffset = ({ totals }: Snapshot, limit = PAGE_SIZE): number =>
  FIRST_OFFSET + totals.length * limit

/**
 * True if all pages were read and agreed on the total, at most `maxRows`, which is the number of rows. A row that was seen
 * twice has moved between two pages, so another row was missed.
 */
export const isReadToEnd = ({ seen, counted, totals, unreadable }: Snapshot, maxRows = Infinity): boolean =>
  !unreadable &&
  seen.size === counted &&
  totals.every((total) => total === totals[0] && (total === null || Math.min(total, maxRows) === counted))

/** True if the list was read to its end, and all pages had a total (PL1). */
export const isComplete = (snapshot: Snapshot): boolean =>
  isReadToEnd(snapshot) && typeof snapshot.totals[0] === 'number'

/** Adds a page. @returns `isEndless`: the snapshot ends incomplete, because the page had no new rows (RULES PL7) */
export function withPage(before: Snapshot, { keys, size, total, unreadable }: Page, limit = PAGE_SIZE) {
  const seen = new Set([...before.seen, ...keys])
  const pages = before.totals.length
  const isEndless = (pages > 0 && size > 0 && seen.size === before.seen.size) || pages + 1 >= PAGES_MAX
  const snapshot: Snapshot = {
    seen,
    counted: before.counted + size,
    totals: [...before.totals, total],
    unreadable: before.unreadable || unreadable || isEndless,
  }
  const isLast = isEndless || size < limit || (total !== null && nextOffset(snapshot, limit) > total)
  return { snapshot, isLast, isEndless }
}

/**
 * The rows of all pages, or the outcome of the failed call. `complete`: every wanted row was seen exactly once. `endless`:
 * the CRM returned the same rows repeatedly. `nonListStatus`: the CRM returned JSON that is no list, with this status.
 */
export type PagesRead =
  | { kind: 'rows'; rows: unknown[]; complete: boolean; endless?: boolean; nonListStatus?: number }
  | { kind: 'failed'; outcome: Exclude<Outcome, { kind: 'accepted' }> }

/** `maxPages`: how many pages are read; all if absent. */
export type Paging = { limit: number; maxPages?: number }

/** Reads a whole list. @param paging null if the CRM returns the whole list at once */
export async function readPages(
  api: Reader,
  path: string,
  query: Query,
  paging: Paging | null,
): Promise<PagesRead> {
  const { limit, maxPages = Infinity } = paging ?? { limit: Infinity, maxPages: 1 }
  const rows: unknown[] = []
  for (let snapshot = NO_PAGES; ;) {
    const pageQuery = paging ? { limit, offset: nextOffset(snapshot, limit) } : {}
    const outcome = await api.read(path, { ...query, ...pageQuery })
    if (outcome.kind !== 'accepted') return { kind: 'failed', outcome }
    const { body, status, total } = outcome
    if (body === null) return { kind: 'rows', rows, complete: false }
    // The body becomes one row that cannot be parsed, so the caller reports it and no record counts as missing.
    if (isNotList(body)) return { kind: 'rows', rows: [body], complete: false, nonListStatus: status }
    const found = body as unknown[]
    const page = { keys: found.map(rowIdentity), size: found.length, total, unreadable: false }
    const folded = withPage(snapshot, page, limit)
    if (folded.isEndless) return { kind: 'rows', rows, complete: false, endless: true }
    rows.push(...found)
    snapshot = folded.snapshot
    if (folded.isLast || snapshot.totals.length >= maxPages)
      return { kind: 'rows', rows, complete: isReadToEnd(snapshot, maxPages * limit) }
  }
}

/** True for JSON that is neither a list nor null. A server in front of the CRM may send such JSON (RULES OC7). */
export const isNotList = (body: unknown): boolean => body !== null && !Array.isArray(body)

/** Identifies a row by its id, else by its content. Only the id is parsed, because ArkType copies what it parses. */
const rowIdentity = (row: unknown): string =>
  readOrNull(() => wireId(Reflect.get(Object(row), 'id'))) ?? readOrNull(() => JSON.stringify(row)) ?? ''
