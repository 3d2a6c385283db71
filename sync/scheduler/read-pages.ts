/** Reads a list page by page (crm-contract 2), for pulls and for reading back. */
import { FIRST_OFFSET } from '#schemas/limits.ts'
import { wireId } from '#schemas/declare/wire.ts'
import { readOrNull } from '#sync/lib/attempt.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Query, Reader } from '#sync/scheduler/api.ts'

export type PagesRead =
  /** endless: the CRM gave the same rows again and again (RULES PL7); unlisted: with this status it said something else */
  | { kind: 'rows'; rows: unknown[]; complete: boolean; endless?: boolean; unlisted?: number }
  | { kind: 'failed'; outcome: Exclude<Outcome, { kind: 'accepted' }> }

export interface Paging {
  limit: number
  /** Pages that are wanted; all when absent. */
  most?: number
}

/**
 * @param paging null where the CRM gives the whole list at once
 * @returns rows of all pages; complete: every page agreed on the total and all of it (or all that is wanted) was seen, each row once
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
    // no row will parse, so it is reported, and nothing is taken for missing
    if (!Array.isArray(outcome.body)) {
      const unlisted = isUnlisted(outcome.body) ? { unlisted: outcome.status } : {}
      // null: nothing more than there was
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
    // a row that came twice: the order has moved between two pages, and another one may be in none of them
    complete:
      agreed && known.size === rows.length && (total == null || rows.length === Math.min(total, wanted)),
  }
}

/** JSON that is neither a list nor nothing: what stands before the CRM may speak JSON, too (RULES OC7). */
export const isUnlisted = (body: unknown): boolean => body !== null && !Array.isArray(body)

/** Where the CRM knows no `offset` and gives no total, nothing else would end it. */
const PAGES_MOST = 200

/** By its id, else by what it says: of the same row the same. Only the id is parsed: ArkType copies what it parses. */
const rowName = (row: unknown): string =>
  readOrNull(() => wireId(Reflect.get(Object(row), 'id'))) ?? readOrNull(() => JSON.stringify(row)) ?? ''

/** The answer to the read of a single record, as rows. */
export const oneRow = (outcome: Outcome): PagesRead =>
  outcome.kind === 'accepted'
    ? { kind: 'rows', rows: [outcome.body], complete: true }
    : { kind: 'failed', outcome }
