/**
 * Decides which saves and drafts on this device are certainly a day old (RULES EX3). A wall clock that was set must
 * not age them, so a day is measured by a clock that nobody can set: the app's running time, or the CRM's `Date`. A
 * mark is one moment, with the time of the wall clock and of such a clock. Stamps have the wall clock's time:
 *
 *     a day after a mark by its other clock ─→ what was stamped before the mark is a day old
 *     wall clock set back to before a mark ─→ the mark's wall clock is lowered to it, because new stamps are later
 *
 * Unlike in `trusted-time.ts`, the time between a stamp and the next mark does not count, because its length is
 * unknown. So for a draft that was saved without a connection the day begins with the CRM's next answer, unless the
 * app runs for a whole day.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'

/** Minimum distance of two stored marks in milliseconds. A day is measured with this precision. */
const STEP_MS = 3_600_000

interface DayMark {
  /** Wall clock when the mark was made, or its lowest value since then if it was set back; epoch ms. */
  readonly wall: number
  /** Time of the clock that cannot be set (running time, or the CRM's `Date`) when the mark was made, ms. */
  readonly at: number
}

interface DayMarks {
  /** Total running time of the app, ms. */
  readonly run: number
  /** Marks by the app's running time, oldest first. The last mark is always the latest reading of the clocks. */
  readonly ran: readonly DayMark[]
  /** Marks by the CRM's `Date`, oldest first. */
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
 * Adds a mark. It replaces the newest mark if that is less than `STEP_MS` after the one before. Of the marks that are
 * a day old only the last is kept.
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
