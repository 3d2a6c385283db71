/** The order of 依頼検索, and the items of its virtualized list. */
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitList } from '#data/visits/visits.ts'
import { plannedEnd } from '#lib/time/working-day.ts'
import type { Day } from '#features/request/search/days.ts'
import { rowEdge, type RowEdge } from '#ui/request/visit-row.tsx'

/** A day whose finished visits may be hidden behind the line 完了. */
export interface ShownDay extends Day {
  done: readonly ListedRequest[]
}

export interface ShownDays {
  days: readonly ShownDay[]
  /** Key of the next visit; null if there is none. */
  nextKey: string | null
}

/** Returns the days in their usual order, with all visits visible. */
export const plainDays = (days: readonly Day[]): ShownDays => ({
  days: days.map((day) => ({ ...day, done: [] })),
  nextKey: null,
})

/**
 * Puts the next visit first and hides today's finished visits behind one line.
 * @param days may include a day before `searchedFrom` with last night's unfinished visits
 * @param searchedFrom `YYYY-MM-DD` or ''
 */
export function foldedDays(
  days: readonly Day[],
  { stateOf }: Pick<VisitList, 'stateOf'>,
  { today, searchedFrom, nowMs }: { today: string; searchedFrom: string; nowMs: number },
): ShownDays {
  const current = days.flatMap(({ date, rows }) => (date === today || date < searchedFrom ? rows : []))
  const waiting = current.filter((row) => stateOf(row) === 'none')
  // The next visit: one whose site the user has entered, or else the first whose time is not over, or else the first.
  const next =
    current.find((row) => stateOf(row) === 'in') ??
    waiting.find(({ workingDate, workingEndTime }) => plannedEnd(workingDate, workingEndTime) > nowMs) ??
    waiting[0]
  const shown = days.map(({ date, rows }): ShownDay => {
    const isOver = (row: ListedRequest) => date === today && stateOf(row) === 'out'
    const open = rows.filter((row) => !isOver(row))
    return { date, rows: firstIn(open, (row) => row === next), done: rows.filter(isOver) }
  })
  return {
    days: firstIn(shown, ({ rows }) => next !== undefined && rows[0] === next),
    nextKey: next?.key ?? null,
  }
}

/** Returns the days in the same order, with all visits visible as rows. */
export const unfolded = ({ days }: ShownDays): ShownDays =>
  plainDays(days.map(({ date, rows, done }) => ({ date, rows: [...rows, ...done] })))

const firstIn = <T>(all: readonly T[], isFirst: (each: T) => boolean): T[] =>
  all.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))

/** `edge` says where the line that connects consecutive rows ends. */
export type ListEntry =
  | { kind: 'head'; key: string }
  | { kind: 'fold'; key: string; done: readonly ListedRequest[] }
  | { kind: 'row'; key: string; row: ListedRequest; edge: RowEdge | undefined }

/** Returns the number of a day's entries without its head. */
export const countOfEntries = ({ rows, done }: ShownDay, doneOpen: boolean): number =>
  rows.length + (done.length > 0 ? 1 : 0) + (doneOpen ? done.length : 0)

/** Returns the entries of all days. @param limit maximum number of entries */
export function flatten({ days, nextKey }: ShownDays, doneOpen: boolean, limit: number): ListEntry[] {
  const rowEntries = (rows: readonly ListedRequest[]): ListEntry[] => {
    // The next visit is shown in its own card, so the line begins after it.
    const lead = rows[0]?.key === nextKey ? 1 : 0
    return rows.map((row, index) => {
      const edge = row.key === nextKey ? 'only' : rowEdge(index - lead, rows.length - lead)
      return { kind: 'row', key: row.key, row, edge }
    })
  }
  const entries = days.flatMap(({ date, rows, done }): ListEntry[] => [
    { kind: 'head', key: date },
    ...rowEntries(rows),
    ...(done.length > 0 ? [{ kind: 'fold' as const, key: `${date} done`, done }] : []),
    ...(doneOpen ? rowEntries(done) : []),
  ])
  return entries.slice(0, limit)
}
