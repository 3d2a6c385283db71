/** What the virtualizer counts: the head of a day, its rows, the line 完了 and, where that is open, what is behind it. */
import type { ListedRequest } from '#data/request-row.ts'
import type { ShownDay } from './next-visit.ts'

/** A visit, and which of how many in one row of rails it is. */
export interface RowEntry {
  kind: 'row'
  key: string
  row: ListedRequest
  index: number
  count: number
  /** The first one of them. */
  first: ListedRequest
}
export type Entry =
  | { kind: 'head'; key: string }
  | { kind: 'fold'; key: string; done: readonly ListedRequest[] }
  | RowEntry

/** What stands under the head of a day. */
export function entriesOf({ date, rows, done }: ShownDay, doneOpen: boolean): Entry[] {
  if (done.length === 0) return rowEntries(rows)
  const fold: Entry = { kind: 'fold', key: `${date} done`, done }
  return [...rowEntries(rows), fold, ...(doneOpen ? rowEntries(done) : [])]
}

const rowEntries = (rows: readonly ListedRequest[]): Entry[] =>
  rows.map((row, index) => ({
    kind: 'row',
    key: row.key,
    row,
    index,
    count: rows.length,
    first: rows[0] ?? row,
  }))

/** @param limit no more than these */
export function flatten(days: readonly ShownDay[], doneOpen: boolean, limit: number): Entry[] {
  const entries: Entry[] = []
  for (const day of days) {
    const room = limit - entries.length
    if (room <= 0) break
    entries.push({ kind: 'head', key: day.date })
    entries.push(...entriesOf(day, doneOpen).slice(0, room - 1))
  }
  return entries
}
