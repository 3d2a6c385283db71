/** Reads a list page by page (crm-contract 2), for pulls and read-backs. */
import { FIRST_OFFSET } from '#schemas/limits.ts'
import { wireId } from '#schemas/declare/wire.ts'
import { readOrNull } from '#sync/lib/attempt.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Query, Reader } from '#sync/scheduler/api.ts'

/** The rows of all pages, or the outcome of the failed call. */
export type PagesRead =
  /**
   * `endless`: the CRM returned the same rows repeatedly (RULES PL7). `unlisted`: it returned something other
   * than a list, with this status.
   */
  | { kind: 'rows'; rows: unknown[]; complete: boolean; endless?: boolean; unlisted?: number }
  | { kind: 'failed'; outcome: Exclude<Outcome, { kind: 'accepted' }> }

export interface Paging {
  limit: number
  /** Number of pages to read; all if absent. */
  most?: number
}

/**
 * Reads a list.
 * @param paging null if the CRM returns the whole list at once
 * @returns the rows of all pages; `complete` if all pages agreed on the total and every wanted row was seen
 * exactly once
 */
export async function readPages(
  api: Reader,
  path: string,
  query: Query,
  paging: Paging | null,
): Promise<PagesRead> {
  const rows: unknown[] = []
  const totals: (number | null)[] = []
  const { limit, most = Infinity } = paging ?? { limit: Infinity, most: 1 }
  const known = new Set<string>()
  for (let page = 0; page < most; page++) {
    const part = paging ? { limit, offset: FIRST_OFFSET + page * limit } : {}
    const outcome = await api.read(path, { ...query, ...part })
    if (outcome.kind !== 'accepted') return { kind: 'failed', outcome }
    // No row will parse, so this is reported, and no record counts as missing.
    if (!Array.isArray(outcome.body)) {
      const unlisted = isUnlisted(outcome.body) ? { unlisted: outcome.status } : {}
      // null: no further rows.
      return {
        kind: 'rows',
        rows: outcome.body === null ? rows : [outcome.body],
        complete: false,
        ...unlisted,
      }
    }
    const before = known.size
    for (const row of outcome.body as unknown[]) known.add(rowName(row))
    const isAgain = page > 0 && outcome.body.length > 0 && known.size === before
    if (isAgain || page >= PAGES_MOST) return { kind: 'rows', rows, complete: false, endless: true }
    for (const row of outcome.body as unknown[]) rows.push(row)
    totals.push(outcome.total)
    const total = outcome.total ?? Infinity
    if (outcome.body.length < limit || rows.length >= total) break
  }
  const [total] = totals
  const agreed = totals.every((each) => each === total)
  const wanted = most === Infinity ? Infinity : most * limit
  return {
    kind: 'rows',
    rows,
    // A row that appears twice shows that the order has changed between two pages, so another row may be in
    // neither.
    complete:
      agreed && known.size === rows.length && (total == null || rows.length === Math.min(total, wanted)),
  }
}

/**
 * True for JSON that is neither a list nor null. A server in front of the CRM may send JSON, too (RULES OC7).
 */
export const isUnlisted = (body: unknown): boolean => body !== null && !Array.isArray(body)

/** Limit for a CRM that ignores `offset` and returns no total. */
const PAGES_MOST = 200

/**
 * Identifies a row by its id, else by its content. Only the id is parsed, because ArkType copies what it
 * parses.
 */
const rowName = (row: unknown): string =>
  readOrNull(() => wireId(Reflect.get(Object(row), 'id'))) ?? readOrNull(() => JSON.stringify(row)) ?? ''

/** The response to a single-record read, as rows. */
export const oneRow = (outcome: Outcome): PagesRead =>
  outcome.kind === 'accepted'
    ? { kind: 'rows', rows: [outcome.body], complete: true }
    : { kind: 'failed', outcome }
