/** What of the days is to be done next, and what is over: the order in which hands need them. */
import type { ListedRequest } from '#data/request-row.ts'
import type { VisitList } from '#data/visits.ts'
import { plannedEnd } from '#lib/time/working-day.ts'
import type { Day } from '#features/request/search/days.ts'

/** A day of which what is over may be folded. */
export interface ShownDay extends Day {
  /** Left; behind the line 完了. */
  done: readonly ListedRequest[]
}

export interface ShownDays {
  days: readonly ShownDay[]
  /** The visit on top; null where nothing is left to do today. */
  nextKey: string | null
}

type States = Pick<VisitList, 'stateOf'>

/** Days as they are: nothing folded, nothing on top. */
export const plainDays = (days: readonly Day[]): ShownDays => ({
  days: days.map((day) => ({ ...day, done: [] })),
  nextKey: null,
})

/**
 * The next one on top, what was left today behind one line.
 * @param days what is before those asked for is what the night carries over
 * @param asked the first day asked for, `YYYY-MM-DD` or ''
 */
export function foldedDays(
  days: readonly Day[],
  { stateOf }: States,
  { today, asked, nowMs }: { today: string; asked: string; nowMs: number },
): ShownDays {
  const current = days.flatMap(({ date, rows }) => (date === today || date < asked ? rows : []))
  const next = nextOf(current, { stateOf }, nowMs)
  const shown = days.map(({ date, rows }): ShownDay => {
    const isOver = (row: ListedRequest) => date === today && stateOf(row) === 'out'
    const open = rows.filter((row) => !isOver(row))
    return { date, rows: firstIn(open, (row) => row === next), done: rows.filter(isOver) }
  })
  return { days: firstIn(shown, ({ rows }) => next !== null && rows[0] === next), nextKey: next?.key ?? null }
}

/**
 * Where somebody is inside; else the first one that nobody has entered and whose time is not over; else the first one
 * that nobody has entered.
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

/** The one before the others, which keep their order. */
function firstIn<T>(all: readonly T[], isFirst: (each: T) => boolean): T[] {
  return [...all.filter(isFirst), ...all.filter((each) => !isFirst(each))]
}
