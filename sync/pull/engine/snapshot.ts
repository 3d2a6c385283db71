/** A snapshot of the CRM's list, page by page, as a value (RULES PL1, PL7). */
import { FIRST_OFFSET, PAGE_SIZE } from '#schemas/limits.ts'
import type { Snapshot } from './reconcile.ts'

/** The result of a read: one page of a list, or the whole list. */
export type Page =
  | {
      kind: 'page'
      /** Keys of its rows, including skipped rows with a known key. */
      keys: readonly string[]
      /** Number of its rows. */
      size: number
      total: number | null
      unreadable: boolean
    }
  | { kind: 'whole'; isComplete: boolean }

export const NO_PAGES: Snapshot = { seen: new Set(), counted: 0, totals: [], unreadable: false }

/** Limit for a CRM that ignores `offset` and returns no total. */
const PAGES_MAX = 1_000

/** The offset of the next page. */
export const nextOffset = ({ totals }: Snapshot): number => FIRST_OFFSET + totals.length * PAGE_SIZE

interface Folded {
  snapshot: Snapshot
  isLast: boolean
  /** True if it was ended because a page had no new rows (RULES PL7); such a snapshot is incomplete. */
  isEndless: boolean
}

/** Adds a page. */
export function withPage(before: Snapshot, page: Extract<Page, { kind: 'page' }>): Folded {
  const { keys, size, total } = page
  const seen = new Set([...before.seen, ...keys])
  const pages = before.totals.length
  const isEndless = (pages > 0 && size > 0 && seen.size === before.seen.size) || pages + 1 >= PAGES_MAX
  const snapshot = {
    seen,
    counted: before.counted + size,
    totals: [...before.totals, total],
    unreadable: before.unreadable || page.unreadable || isEndless,
  }
  const isLast = isEndless || size < PAGE_SIZE || (total !== null && nextOffset(snapshot) > total)
  return { snapshot, isLast, isEndless }
}
