/**
 * Decides which local input is certainly a day old (RULES EX3). Only a day that the app has measured counts: the app
 * ignores a clock that was set and the time that the phone was off. Each measurement is a mark, which is a moment by
 * two clocks:
 *
 *     mark: the wall clock, and a monotonic clock (running time, or the CRM's `Date`)
 *     wall clock lower than in a mark ─→ the mark is lowered to it, because new stamps are later than the mark
 *     a mark is a day old by its monotonic clock ─→ input that was stamped before the mark is a day old
 *
 * Unlike in `trusted-time.ts`, the time between a stamp and the next mark does not count, because its length is
 * unknown. So the day of input that was saved without a signal begins with the CRM's next answer, unless the app's
 * running time alone makes a day.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'

/** Minimum distance of stored marks, and so the precision with which a day is measured. */
const STEP_MS = 3_600_000

interface DayMark {
  /** Wall clock when the mark was made, or its lowest value since then if it was set back; epoch ms. */
  readonly wall: number
  /** The monotonic clock when the mark was made, ms. */
  readonly at: number
}

interface DayMarks {
  /** Total running time of the app, ms. */
  readonly run: number
  /** Marks whose monotonic clock is the running time, oldest first. The last mark is always the latest reading. */
  readonly ran: readonly DayMark[]
  /** Marks whose monotonic clock is the CRM's `Date`. */
  readonly dated: readonly DayMark[]
}

export const NO_MARKS: DayMarks = { run: 0, ran: [], dated: [] }

/**
 * The marks after a reading of the clocks.
 * @param ms milliseconds since the last reading, by a monotonic clock
 */
export function afterTick({ run, ran, dated }: DayMarks, ms: number, wall: number): DayMarks {
  const now = run + Math.max(0, ms)
  return { run: now, ran: marked(lowered(ran, wall), { wall, at: now }), dated: lowered(dated, wall) }
}

/**
 * The marks after an answer of the CRM.
 * @param date epoch ms of the answer's `Date`
 */
export function afterAnswer(marks: DayMarks, wall: number, date: number): DayMarks {
  const dated = lowered(marks.dated, wall)
  // The clocks of several CRM machines differ. The later date counts, because answers that alternate between two
  // machines would otherwise look like time that passed.
  return { ...marks, dated: marked(dated, { wall, at: Math.max(date, dated.at(-1)?.at ?? date) }) }
}

/** Epoch ms of the wall clock: input that was stamped earlier is certainly a day old. -Infinity: no input is. */
export const dayOldBefore = ({ ran, dated }: DayMarks): number =>
  Math.max(...[ran, dated].map((marks) => oldest(marks)?.wall ?? -Infinity))

const lowered = (marks: readonly DayMark[], wall: number): readonly DayMark[] =>
  marks.map((mark) => (mark.wall > wall ? { ...mark, wall } : mark))

/**
 * Adds a mark. The newest mark is replaced if it is less than `STEP_MS` after the mark before it. Only the last of
 * the marks that are a day old stays.
 */
function marked(marks: readonly DayMark[], mark: DayMark): readonly DayMark[] {
  const before = marks.at(-2)
  const isClose = before && mark.at - before.at < STEP_MS
  const all = [...(isClose ? marks.slice(0, -1) : marks), mark]
  const last = oldest(all)
  return last ? all.slice(all.indexOf(last)) : all
}

const oldest = (marks: readonly DayMark[]): DayMark | undefined =>
  marks.findLast(({ at }) => at <= (marks.at(-1)?.at ?? at) - EXPIRY_MS)

/** Parses stored marks. @returns no marks if the text cannot be read */
export function restoredMarks(text: string | null): DayMarks {
  try {
    const { run, ran, dated } = (JSON.parse(text ?? '') as { marks: Record<keyof DayMarks, unknown> }).marks
    if (Number.isFinite(run) && areMarks(ran) && areMarks(dated)) return { run: Number(run), ran, dated }
  } catch {
    // The text is missing or has another form.
  }
  return NO_MARKS
}

const areMarks = (value: unknown): value is DayMark[] =>
  Array.isArray(value) &&
  value.every((mark: Partial<DayMark> | null) => Number.isFinite(mark?.wall) && Number.isFinite(mark?.at))
