/**
 * What was typed here is a day old only where the app has seen a day pass since (RULES EX3): a clock that was set, or a phone
 * that was off, shows none. A pure value of marks, each a moment that it saw:
 *
 *     mark: the wall clock then, and what a clock said that nobody sets: of running, or of the CRM's `Date`
 *     the wall clock is seen lower than a mark ─→ the mark comes down to it: what is stamped from here on is not before it
 *     a mark of a day ago, by its own clock ────→ what was stamped before it is a day old
 *
 * Unlike `trusted-time.ts` it never counts what passed before the first look after a stamp, for nobody knows how long that
 * was: of what was typed without a signal, the day begins with the next answer of the CRM, or goes by running alone.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'

/** So far apart are the marks that stay, and so much later a day may be over. */
const STEP_MS = 3_600_000

interface DayMark {
  /** Epoch ms of the wall clock; the lowest that was seen since. */
  readonly wall: number
  /** Of a clock that nobody sets, ms. */
  readonly at: number
}

interface DayMarks {
  /** What the app ran in all, ms. */
  readonly run: number
  /** By what was run; oldest first, the last one is the last look. */
  readonly ran: readonly DayMark[]
  /** By the CRM's `Date`. */
  readonly dated: readonly DayMark[]
}

export const NO_MARKS: DayMarks = { run: 0, ran: [], dated: [] }

/** A look at the clock. @param ms by a monotonic clock, since the last look */
export function afterTick({ run, ran, dated }: DayMarks, ms: number, wall: number): DayMarks {
  const now = run + Math.max(0, ms)
  return { run: now, ran: marked(lowered(ran, wall), { wall, at: now }), dated: lowered(dated, wall) }
}

/** The CRM answered. @param date epoch ms of its `Date` */
export function afterAnswer(marks: DayMarks, wall: number, date: number): DayMarks {
  const dated = lowered(marks.dated, wall)
  // of two that differ the later one counts: no time passes by asking them in turns
  return { ...marks, dated: marked(dated, { wall, at: Math.max(date, dated.at(-1)?.at ?? date) }) }
}

/** What was stamped before this is surely a day old, epoch ms of the wall clock; -Infinity where nothing is. */
export const dayOldBefore = ({ ran, dated }: DayMarks): number =>
  Math.max(...[ran, dated].map((marks) => oldest(marks)?.wall ?? -Infinity))

const lowered = (marks: readonly DayMark[], wall: number): readonly DayMark[] =>
  marks.map((mark) => (mark.wall > wall ? { ...mark, wall } : mark))

/** The newest mark moves along while it is near the one before it; of those that are a day old the last says all. */
function marked(marks: readonly DayMark[], mark: DayMark): readonly DayMark[] {
  const before = marks.at(-2)
  const isClose = before && mark.at - before.at < STEP_MS
  const all = [...(isClose ? marks.slice(0, -1) : marks), mark]
  const last = oldest(all)
  return last ? all.slice(all.indexOf(last)) : all
}

/** The last one that is a day old. */
const oldest = (marks: readonly DayMark[]): DayMark | undefined =>
  marks.findLast(({ at }) => at <= (marks.at(-1)?.at ?? at) - EXPIRY_MS)

/** What was kept of them, where that can be read. */
export function restoredMarks(text: string | null): DayMarks {
  try {
    const { run, ran, dated } = (JSON.parse(text ?? '') as { marks: Record<keyof DayMarks, unknown> }).marks
    if (Number.isFinite(run) && areMarks(ran) && areMarks(dated)) return { run: Number(run), ran, dated }
  } catch {
    // nothing was kept, or something else
  }
  return NO_MARKS
}

const areMarks = (value: unknown): value is DayMark[] =>
  Array.isArray(value) &&
  value.every((mark: Partial<DayMark> | null) => Number.isFinite(mark?.wall) && Number.isFinite(mark?.at))
