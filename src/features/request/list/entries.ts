/** The items of the virtualized list: each day's head and rows, the line 完了, and the finished visits if they are shown. */
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { ShownDay } from './next-visit.ts'

/** A visit with its position in a timeline. A timeline is the vertical line that connects consecutive rows. */
export interface RowEntry {
  kind: 'row'
  key: string
  row: ListedRequest
  /** Index of the row in its timeline. */
  index: number
  /** Number of rows of the timeline. */
  count: number
  /** First row of the timeline. */
  first: ListedRequest
}
export type ListEntry =
  | { kind: 'head'; key: string }
  | { kind: 'fold'; key: string; done: readonly ListedRequest[] }
  | RowEntry

/** Returns a day's entries without its head. */
export function entriesOfDay({ date, rows, done }: ShownDay, doneOpen: boolean): ListEntry[] {
  if (done.length === 0) return rowEntries(rows)
  const fold: ListEntry = { kind: 'fold', key: `${date} done`, done }
  return [...rowEntries(rows), fold, ...(doneOpen ? rowEntries(done) : [])]
}

const rowEntries = (rows: readonly ListedRequest[]): ListEntry[] =>
  rows.map((row, index) => ({
    kind: 'row',
    key: row.key,
    row,
    index,
    count: rows.length,
    first: rows[0] ?? row,
  }))

/** Returns the entries of all days. @param limit maximum number of entries */
export function flatten(days: readonly ShownDay[], doneOpen: boolean, limit: number): ListEntry[] {
  const entries: ListEntry[] = []
  for (const day of days) {
    const room = limit - entries.length
    if (room <= 0) break
    entries.push({ kind: 'head', key: day.date })
    entries.push(...entriesOfDay(day, doneOpen).slice(0, room - 1))
  }
  return entries
}
