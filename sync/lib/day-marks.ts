/**
 * Decides which local input is certainly a day old (RULES EX3). Only a day that the app has measured counts: a clock
 * that was set or a phone that was off proves nothing. The value consists of marks. A mark is a moment by two clocks:
 *
 *     mark: the wall clock, and a monotonic clock (running time, or the CRM's `Date`)
 *     wall clock lower than in a mark ─→ the mark is lowered to it, because new stamps are later than the mark
 *     mark a day old by its monotonic clock ─→ input that was stamped before the mark is a day old
 *
 * Unlike in `trusted-time.ts`, the time between a stamp and the next mark does not count, because its length is
 * unknown. So the day of input that was saved without a signal begins with the CRM's next answer, unless the app's
 * running time alone makes a day.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'

/** Minimum distance of stored marks. A day is measured with this precision. */
const STEP_MS = 3_600_000

interface DayMark {
  /** The lowest value of the wall clock since the mark was made, epoch ms. */
  readonly wall: number
  /** The monotonic clock when the mark was made, ms. */
  readonly at: number
}

interface DayMarks {
  /** Total running time of the app, ms. */
  readonly run: number
  /** Marks by running time, oldest first. The last one is from the latest reading of the clocks. */
  readonly ran: readonly DayMark[]
  /** Marks by the CRM's `Date`. */
  readonly dated: readonly DayMark[]
}

export const NO_MARKS: DayMarks = { run: 0, ran: [], dated: [] }

/**
 * The marks after a reading of the clocks.
 * @param ms since the last reading, by a monotonic clock
 */
export function afterTick({ run, ran, dated }: DayMarks, ms: number, wall: number): DayMarks {
  const now = run + Math.max(0, ms)
  return { run: now, ran: marked(lowered(ran, wall), { wall, at: now }), dated: lowered(dated, wall) }
}

/**
 * The marks after an answer of the CRM.
 * @param date epoch ms of its `Date`
 */
export function afterAnswer(marks: DayMarks, wall: number, date: number): DayMarks {
  const dated = lowered(marks.dated, wall)
  // The CRM may be several machines with different clocks. The time never goes back, because answers that alternate
  // between two machines would otherwise count as time that passed.
  return { ...marks, dated: marked(dated, { wall, at: Math.max(date, dated.at(-1)?.at ?? date) }) }
}

/** Input that was stamped before this time is certainly a day old. Epoch ms of the wall clock; -Infinity for none. */
export const dayOldBefore = ({ ran, dated }: DayMarks): number =>
  Math.max(...[ran, dated].map((marks) => oldest(marks)?.wall ?? -Infinity))

const lowered = (marks: readonly DayMark[], wall: number): readonly DayMark[] =>
  marks.map((mark) => (mark.wall > wall ? { ...mark, wall } : mark))

/**
 * Adds a mark. It replaces the newest mark if that one is close to the mark before it. Of the marks that are a day old
 * only the last one is needed.
 */
function marked(marks: readonly DayMark[], mark: DayMark): readonly DayMark[] {
  const before = marks.at(-2)
  const isClose = before && mark.at - before.at < STEP_MS
  const all = [...(isClose ? marks.slice(0, -1) : marks), mark]
  const last = oldest(all)
  return last ? all.slice(all.indexOf(last)) : all
}

/** The last mark that is a day old. */
const oldest = (marks: readonly DayMark[]): DayMark | undefined =>
  marks.findLast(({ at }) => at <= (marks.at(-1)?.at ?? at) - EXPIRY_MS)

/** Parses stored marks; none if they cannot be read. */
export function restoredMarks(text: string | null): DayMarks {
  try {
    const { run, ran, dated } = (JSON.parse(text ?? '') as { marks: Record<keyof DayMarks, unknown> }).marks
    if (Number.isFinite(run) && areMarks(ran) && areMarks(dated)) return { run: Number(run), ran, dated }
  } catch {
    // Nothing was stored, or the stored text has another form.
  }
  return NO_MARKS
}

const areMarks = (value: unknown): value is DayMark[] =>
  Array.isArray(value) &&
  value.every((mark: Partial<DayMark> | null) => Number.isFinite(mark?.wall) && Number.isFinite(mark?.at))
