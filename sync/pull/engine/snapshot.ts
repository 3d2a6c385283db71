/** A snapshot of what the CRM has, page by page, as a value (RULES PL1, PL7). */
import { FIRST_OFFSET, PAGE_SIZE } from '#schemas/limits.ts'
import type { Snapshot } from './reconcile.ts'

/** What was read of a snapshot: a page of it, or all of it in one piece. */
export type Page =
  | {
      kind: 'page'
      /** Of its rows, the skipped ones whose key can be told too. */
      keys: readonly string[]
      /** All of its rows. */
      size: number
      total: number | null
      unreadable: boolean
    }
  | { kind: 'whole'; isComplete: boolean }

export const NO_PAGES: Snapshot = { seen: new Set(), counted: 0, totals: [], unreadable: false }

/** A CRM that knows no `offset` gives its first page for ever, and without a total nothing else would end it. */
const PAGES_MOST = 1_000

/** The offset of the page after these. */
export const nextOffset = ({ totals }: Snapshot): number => FIRST_OFFSET + totals.length * PAGE_SIZE

interface Folded {
  snapshot: Snapshot
  isLast: boolean
  /** It ends because it brings nothing new (RULES PL7): such a snapshot is not complete. */
  isEndless: boolean
}

/** Adds a page that was read. */
export function withPage(before: Snapshot, page: Extract<Page, { kind: 'page' }>): Folded {
  const { keys, size, total } = page
  const seen = new Set([...before.seen, ...keys])
  const pages = before.totals.length
  const isEndless = (pages > 0 && size > 0 && seen.size === before.seen.size) || pages + 1 >= PAGES_MOST
  const snapshot = {
    seen,
    counted: before.counted + size,
    totals: [...before.totals, total],
    unreadable: before.unreadable || page.unreadable || isEndless,
  }
  const isLast = isEndless || size < PAGE_SIZE || (total !== null && nextOffset(snapshot) > total)
  return { snapshot, isLast, isEndless }
}
