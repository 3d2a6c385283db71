/** Reads a list page by page (crm-contract 2), for pulls and for reading back. */
import { FIRST_OFFSET } from '#schemas/limits.ts'
import type { Outcome } from './outcome.ts'
import type { Query, Reader } from './transport/api.ts'

export type PagesRead =
  | { kind: 'rows'; rows: unknown[]; complete: boolean }
  | { kind: 'failed'; outcome: Exclude<Outcome, { kind: 'accepted' }> }

export interface Paging {
  limit: number
  /** Pages that are wanted; all when absent. */
  most?: number
}

/**
 * @param paging null where the CRM gives the whole list at once
 * @returns rows of all pages; complete: every page agreed on the total and all of it (or all that is wanted) was seen
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
  for (let page = 0; page < most; page++) {
    const part = paging ? { limit, offset: FIRST_OFFSET + page * limit } : {}
    const outcome = await api.read(path, { ...query, ...part })
    if (outcome.kind !== 'accepted') return { kind: 'failed', outcome }
    // no row will parse, so it is reported, and nothing is taken for missing
    if (!Array.isArray(outcome.body)) return { kind: 'rows', rows: [outcome.body], complete: false }
    rows.push(...outcome.body)
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
    complete: agreed && (total == null || rows.length === Math.min(total, wanted)),
  }
}

/** The answer to the read of a single record, as rows. */
export const oneRow = (outcome: Outcome): PagesRead =>
  outcome.kind === 'accepted'
    ? { kind: 'rows', rows: [outcome.body], complete: true }
    : { kind: 'failed', outcome }
