/** Reads a whole list page by page (crm-contract 2), for pulls of records and for read-backs. */
import { FIRST_OFFSET } from '#schemas/limits.ts'
import { wireId } from '#schemas/declare/wire.ts'
import { readOrNull } from '#sync/lib/attempt.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Query, Reader } from '#sync/scheduler/api.ts'

/** The rows of all pages, or the outcome of the failed call. */
export type PagesRead =
  /**
   * `endless`: the CRM returned the same rows repeatedly (RULES PL7). `nonListStatus`: the CRM returned JSON that is no
   * list, with this status.
   */
  | { kind: 'rows'; rows: unknown[]; complete: boolean; endless?: boolean; nonListStatus?: number }
  | { kind: 'failed'; outcome: Exclude<Outcome, { kind: 'accepted' }> }

export interface Paging {
  limit: number
  /** Number of pages to read; all if absent. */
  maxPages?: number
}

/**
 * Reads a list.
 * @param paging null if the CRM returns the whole list at once
 * @returns `complete`: true if all pages agreed on the total and every wanted row was seen exactly once
 */
export async function readPages(
  api: Reader,
  path: string,
  query: Query,
  paging: Paging | null,
): Promise<PagesRead> {
  const rows: unknown[] = []
  const totals: (number | null)[] = []
  const { limit, maxPages = Infinity } = paging ?? { limit: Infinity, maxPages: 1 }
  const seen = new Set<string>()
  for (let page = 0; page < maxPages; page++) {
    const pageQuery = paging ? { limit, offset: FIRST_OFFSET + page * limit } : {}
    const outcome = await api.read(path, { ...query, ...pageQuery })
    if (outcome.kind !== 'accepted') return { kind: 'failed', outcome }
    if (outcome.body === null) return { kind: 'rows', rows, complete: false }
    // The body becomes one row, which cannot be parsed: the caller reports it, and no record counts as missing.
    if (isNotList(outcome.body))
      return { kind: 'rows', rows: [outcome.body], complete: false, nonListStatus: outcome.status }
    const found = outcome.body as unknown[]
    const before = seen.size
    for (const row of found) seen.add(rowIdentity(row))
    const isRepeated = page > 0 && found.length > 0 && seen.size === before
    if (isRepeated || page >= PAGES_MAX) return { kind: 'rows', rows, complete: false, endless: true }
    rows.push(...found)
    totals.push(outcome.total)
    const total = outcome.total ?? Infinity
    if (found.length < limit || rows.length >= total) break
  }
  const [total] = totals
  const agreed = totals.every((each) => each === total)
  const maxRows = maxPages === Infinity ? Infinity : maxPages * limit
  // A row that appears twice shows that the order has changed between two pages, so another row may be on neither.
  const hasAll = seen.size === rows.length && (total == null || rows.length === Math.min(total, maxRows))
  return { kind: 'rows', rows, complete: agreed && hasAll }
}

/** True for JSON that is neither a list nor null. A server in front of the CRM may send such JSON (RULES OC7). */
export const isNotList = (body: unknown): boolean => body !== null && !Array.isArray(body)

/** Limit for a CRM that ignores `offset` and returns no total. */
const PAGES_MAX = 200

/** Identifies a row by its id, else by its content. Only the id is parsed, because ArkType copies what it parses. */
const rowIdentity = (row: unknown): string =>
  readOrNull(() => wireId(Reflect.get(Object(row), 'id'))) ?? readOrNull(() => JSON.stringify(row)) ?? ''

/** The response to a single-record read, as rows. */
export const oneRow = (outcome: Outcome): PagesRead =>
  outcome.kind === 'accepted'
    ? { kind: 'rows', rows: [outcome.body], complete: true }
    : { kind: 'failed', outcome }
