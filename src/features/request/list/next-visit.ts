/** Orders the visits by what users need next: the next visit on top, finished visits folded. */
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitList } from '#data/visits/visits.ts'
import { plannedEnd } from '#lib/time/working-day.ts'
import type { Day } from '#features/request/search/days.ts'

/** A day whose finished visits may be folded. */
export interface ShownDay extends Day {
  /** Finished visits, behind the line 完了. */
  done: readonly ListedRequest[]
}

export interface ShownDays {
  days: readonly ShownDay[]
  /** Key of the visit on top; null if nothing remains for today. */
  nextKey: string | null
}

type States = Pick<VisitList, 'stateOf'>

/** Returns the days unchanged: nothing folded, nothing on top. */
export const plainDays = (days: readonly Day[]): ShownDays => ({
  days: days.map((day) => ({ ...day, done: [] })),
  nextKey: null,
})

/**
 * Puts the next visit on top and folds today's finished visits into one line.
 * @param days days before `asked` are carried over from last night
 * @param asked first day of the search, `YYYY-MM-DD` or ''
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
 * Returns the next visit: where somebody is inside; otherwise the first without entry whose time is not over;
 * otherwise the first without entry.
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

/** Moves the matching items to the front; the order is otherwise unchanged. */
function firstIn<T>(all: readonly T[], isFirst: (each: T) => boolean): T[] {
  return [...all.filter(isFirst), ...all.filter((each) => !isFirst(each))]
}
