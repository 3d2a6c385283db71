/** Orders the visits of 依頼検索: the next visit comes first, and the line 完了 hides today's finished visits. */
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitList } from '#data/visits/visits.ts'
import { plannedEnd } from '#lib/time/working-day.ts'
import type { Day } from '#features/request/search/days.ts'

/** A day whose finished visits may be hidden. */
export interface ShownDay extends Day {
  /** Finished visits, hidden behind the line 完了. */
  done: readonly ListedRequest[]
}

export interface ShownDays {
  days: readonly ShownDay[]
  /** Key of the next visit; null if there is none. */
  nextKey: string | null
}

type States = Pick<VisitList, 'stateOf'>

/** Returns the days in their usual order, with all visits visible. */
export const plainDays = (days: readonly Day[]): ShownDays => ({
  days: days.map((day) => ({ ...day, done: [] })),
  nextKey: null,
})

/**
 * Puts the next visit first and hides today's finished visits behind one line.
 * @param days may include a day before `searchedFrom` with last night's unfinished visits
 * @param searchedFrom first day of the search, `YYYY-MM-DD` or ''
 */
export function foldedDays(
  days: readonly Day[],
  { stateOf }: States,
  { today, searchedFrom, nowMs }: { today: string; searchedFrom: string; nowMs: number },
): ShownDays {
  const current = days.flatMap(({ date, rows }) => (date === today || date < searchedFrom ? rows : []))
  const next = nextOf(current, { stateOf }, nowMs)
  const shown = days.map(({ date, rows }): ShownDay => {
    const isOver = (row: ListedRequest) => date === today && stateOf(row) === 'out'
    const open = rows.filter((row) => !isOver(row))
    return { date, rows: firstIn(open, (row) => row === next), done: rows.filter(isOver) }
  })
  return { days: firstIn(shown, ({ rows }) => next !== null && rows[0] === next), nextKey: next?.key ?? null }
}

/**
 * Returns the next visit: the visit whose site the user has entered, or else the first visit without an entry whose
 * time is not over, or else the first visit without an entry.
 */
function nextOf(rows: readonly ListedRequest[], { stateOf }: States, nowMs: number): ListedRequest | null {
  const inside = rows.find((row) => stateOf(row) === 'in')
  if (inside) return inside
  const waiting = rows.filter((row) => stateOf(row) === 'none')
  const due = waiting.find(
    ({ workingDate, workingEndTime }) => plannedEnd(workingDate, workingEndTime) > nowMs,
  )
  return due ?? waiting[0] ?? null
}

function firstIn<T>(all: readonly T[], isFirst: (each: T) => boolean): T[] {
  return [...all.filter(isFirst), ...all.filter((each) => !isFirst(each))]
}
