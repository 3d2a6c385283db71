/** The items of the virtualizer: the head of a day, its rows, the line 完了 and, if expanded, the rows behind it. */
import type { ListedRequest } from '#data/request-row.ts'
import type { ShownDay } from './next-visit.ts'

/** A visit with its index in a continuous rail and that rail's length. */
export interface RowEntry {
  kind: 'row'
  key: string
  row: ListedRequest
  index: number
  count: number
  /** The first visit of the rail. */
  first: ListedRequest
}
export type Entry =
  | { kind: 'head'; key: string }
  | { kind: 'fold'; key: string; done: readonly ListedRequest[] }
  | RowEntry

/** Returns the entries below the head of a day. */
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

/** @param limit maximum number of entries */
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
