/**
 * A snapshot is a list of the CRM that is read page by page. This file decides whether a snapshot is complete (RULES
 * PL1, PL7). Pure.
 */
import { FIRST_OFFSET, PAGE_SIZE } from '#schemas/limits.ts'

/** The result of a read: one page of a list, or the whole list. */
export type Page =
  | {
      kind: 'page'
      /** Keys of the page's rows, also of rows of which only the key could be parsed. */
      keys: readonly string[]
      /** Number of rows of the page. */
      size: number
      total: number | null
      unreadable: boolean
    }
  | { kind: 'whole'; isComplete: boolean }

export interface Snapshot {
  /** Keys of the rows of all pages. */
  seen: ReadonlySet<string>
  /** Number of rows of all pages. */
  counted: number
  /** The CRM's total, by page; null if the page had none. */
  totals: readonly (number | null)[]
  /** True if the key of a row is unknown, or the snapshot was ended early. */
  unreadable: boolean
}

export const NO_PAGES: Snapshot = { seen: new Set(), counted: 0, totals: [], unreadable: false }

/** Limit for a CRM that ignores `offset` and returns no total. */
const PAGES_MAX = 1_000

/** The offset of the next page. */
export const nextOffset = ({ totals }: Snapshot): number => FIRST_OFFSET + totals.length * PAGE_SIZE

/**
 * True if all pages agreed on the total and all rows were seen (PL1). A row that was seen twice has moved between two
 * pages, so another row was missed.
 */
export const isComplete = ({ seen, counted, totals, unreadable }: Snapshot) =>
  !unreadable && seen.size === counted && totals.length > 0 && totals.every((total) => total === counted)

/**
 * True if all pages were read and no total contradicts the number of rows. Unlike `isComplete` it does not
 * require a total.
 */
export const isReadToEnd = ({ seen, counted, totals, unreadable }: Snapshot) =>
  !unreadable && seen.size === counted && totals.every((total) => total === null || total === counted)

interface Folded {
  snapshot: Snapshot
  isLast: boolean
  /** True if the snapshot was ended because a page had no new rows (RULES PL7). Such a snapshot is incomplete. */
  isEndless: boolean
}

/** How a page is merged. `removes` is true only for the last page of a complete snapshot (RULES PL1). */
export interface MergeHow extends Folded {
  removes: boolean
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

/**
 * Decides how a read is merged.
 * @param before the pages so far
 * @param page undefined for a single record, which removes nothing
 */
export function mergeHow(before: Snapshot, page: Page | undefined): MergeHow {
  if (page?.kind !== 'page')
    return { isLast: true, removes: page?.isComplete === true, isEndless: false, snapshot: before }
  const folded = withPage(before, page)
  return { ...folded, removes: folded.isLast && isComplete(folded.snapshot) }
}
