/**
 * The trusted time is a lower bound for the current time, by which stored data expires (RULES EX3). It advances with
 * the app's running time and with the time between two `Date`s of the CRM, because a person or an empty battery can
 * change the wall clock.
 * If the wall clock is ahead of the trusted time for a whole day, the trusted time catches up. If the wall clock is
 * behind when the CRM answers, the trusted time goes back to the wall clock. So data stamped during the last day never
 * looks older than it is, and looks at most a day younger.
 *
 * Marks decide which saves and drafts on this device are certainly a day old. A mark is one moment, with the time of
 * the wall clock and of a clock that nobody can set: the running time, or the CRM's `Date`. A day after a mark by its
 * other clock, what was stamped before the mark is a day old. If the wall clock is set back to before a mark, the mark's
 * wall clock is lowered to it, because new stamps are later. The time between a stamp and the next mark does not count,
 * because its length is unknown: for a draft that was saved without a connection the day begins with the CRM's next
 * answer, unless the app runs for a whole day.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'

/** A stamp that is later than the trusted time by more than this was made while the device's clock was wrong. */
export const CLOCK_ERROR_MS = 3_600_000
/** A larger change of the distance between wall clock and trusted time (ms) means that the wall clock was set. */
const JUMP_MS = 3_600_000
/** Minimum distance of two marks (ms), and so the precision of their day. */
const STEP_MS = 3_600_000
/** Interval of storing the state (ms). A crash loses at most this much running time. */
const STORE_EVERY_MS = 30_000

/** `now`: epoch ms, comparable with the wall clock. `crmTime`: null before the CRM's first `Date`. */
export interface TrustedTime {
  readonly now: number
  /** The CRM's last `Date` plus the running time since then, epoch ms. */
  readonly crmTime: number | null
  /** Milliseconds by which the wall clock is ahead of `now`: the smallest value since the trusted time `since`. */
  readonly lead: number
  readonly since: number
}

/** Trusted time at the app's first start, when only the wall clock is known. */
export const startingAt = (wall: number): TrustedTime => ({ now: wall, crmTime: null, since: wall, lead: 0 })

/** Trusted time after `ms` milliseconds of running time, measured by a monotonic clock. */
export function ran(time: TrustedTime, ms: number, wall: number): TrustedTime {
  const passed = Math.max(0, ms)
  const crmTime = time.crmTime === null ? null : time.crmTime + passed
  return withLead({ ...time, now: time.now + passed, crmTime }, wall)
}

/** Trusted time after an answer of the CRM. @param date epoch ms of the answer's `Date`; null without one */
export function answered(time: TrustedTime, wall: number, date: number | null): TrustedTime {
  const { now, crmTime } = time
  const passed = date === null || crmTime === null ? 0 : Math.max(0, date - crmTime)
  // If this answer has no `Date`, the measurement starts again at the next answer with one.
  const last = date === null ? null : Math.max(date, crmTime ?? date)
  return withLead({ ...time, now: Math.min(now + passed, wall), crmTime: last }, wall)
}

/** Updates `lead`. Once `lead` was measured for a day, it is added to the trusted time and measured anew. */
function withLead(time: TrustedTime, wall: number): TrustedTime {
  const ahead = Math.max(0, wall - time.now)
  const lead = Math.min(time.lead, ahead)
  // A clock that was set back may have moved `now` before `since`.
  const since = Math.min(time.since, time.now)
  if (time.now - since < EXPIRY_MS) return { ...time, since, lead }
  const now = time.now + lead
  return { ...time, now, since: now, lead: ahead - lead }
}

/** Parses the stored trusted time. @returns the wall clock if the text cannot be parsed */
export function restored(text: string | null, wall: number): TrustedTime {
  const { now, crmTime, since, lead } = parsed(text)
  const isTime = [now, since, lead, crmTime ?? 0].every(Number.isFinite) && crmTime !== undefined
  return isTime ? ({ now, crmTime, since, lead } as TrustedTime) : startingAt(wall)
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text ?? '') as object) }
  } catch {
    return {}
  }
}

/** `wall`: the wall clock at the mark, or its lowest value since then, epoch ms. `at`: the other clock, ms. */
type DayMark = { readonly wall: number; readonly at: number }

/** `run`: total running time, ms. `ran`, `dated`: marks by it and by the CRM's `Date`, oldest first; the last is the latest. */
type DayMarks = { readonly run: number; readonly ran: readonly DayMark[]; readonly dated: readonly DayMark[] }

export const NO_MARKS: DayMarks = { run: 0, ran: [], dated: [] }

/** The marks after a reading of the clocks. @param ms milliseconds since the last one, by a monotonic clock */
export function afterTick(marks: DayMarks, ms: number, wall: number): DayMarks {
  const run = marks.run + Math.max(0, ms)
  return { run, ran: marked(marks.ran, { wall, at: run }), dated: lowered(marks.dated, wall) }
}

/** The marks after an answer of the CRM. @param date epoch ms of the answer's `Date` */
export function afterAnswer(marks: DayMarks, wall: number, date: number): DayMarks {
  // The clocks of several CRM machines differ. The later date counts, because alternating answers prove no passed time.
  const at = Math.max(date, marks.dated.at(-1)?.at ?? date)
  return { ...marks, dated: marked(marks.dated, { wall, at }) }
}

/** Epoch ms of the wall clock: input that was stamped earlier is certainly a day old. -Infinity: no input is. */
export const dayOldBefore = ({ ran, dated }: DayMarks): number =>
  Math.max(...[ran, dated].map((marks) => oldest(marks)?.wall ?? -Infinity))

const lowered = (marks: readonly DayMark[], wall: number): readonly DayMark[] =>
  marks.map((mark) => (mark.wall > wall ? { ...mark, wall } : mark))

/** Adds a mark, in place of one less than `STEP_MS` after its predecessor, and keeps one that is a day old. */
function marked(known: readonly DayMark[], mark: DayMark): readonly DayMark[] {
  const marks = lowered(known, mark.wall)
  const before = marks.at(-2)
  const isClose = before && mark.at - before.at < STEP_MS
  const all = [...(isClose ? marks.slice(0, -1) : marks), mark]
  const last = oldest(all)
  return last ? all.slice(all.indexOf(last)) : all
}

/** The newest of the marks that are a day old. */
const oldest = (marks: readonly DayMark[]): DayMark | undefined =>
  marks.findLast(({ at }) => at <= (marks.at(-1)?.at ?? at) - EXPIRY_MS)

/** Parses stored marks. @returns no marks if the text cannot be read */
export function restoredMarks(text: string | null): DayMarks {
  const { run, ran, dated } = { ...(parsed(text)['marks'] as Partial<Record<keyof DayMarks, unknown>>) }
  return Number.isFinite(run) && areMarks(ran) && areMarks(dated)
    ? { run: Number(run), ran, dated }
    : NO_MARKS
}

const areMarks = (value: unknown): value is DayMark[] =>
  Array.isArray(value) &&
  value.every((mark: Partial<DayMark> | null) => Number.isFinite(mark?.wall) && Number.isFinite(mark?.at))

export interface PullClock extends Pick<TrustedClock, 'expiryNow'> {
  now(): number
  stamp(): string
}

/** The device's clock (epoch ms), a monotonic one (ms), and storage that all tabs share and that stays. */
export interface TimeParts {
  wall: () => number
  monotonic: () => number
  memory: { get(): string | null; set(text: string): void }
}

export type TrustedClock = ReturnType<typeof createTrustedClock>

/** Creates the clock. Its state is stored, so that it survives restarts. */
export function createTrustedClock({ wall, monotonic, memory }: TimeParts) {
  const before = memory.get()
  let time = restored(before, wall())
  let marks = afterTick(restoredMarks(before), 0, wall())
  let movedAt = monotonic()
  let stored: { time: TrustedTime; wall: number } | null = null
  /** At the CRM's last answer: how far the wall clock was ahead (ms), and whether the answer had a `Date`. */
  let last: { ahead: number; dated: boolean } | null = null

  function move() {
    const now = monotonic()
    time = ran(time, now - movedAt, wall())
    marks = afterTick(marks, now - movedAt, wall())
    movedAt = now
  }
  function store() {
    const passed = stored && Math.max(Math.abs(time.now - stored.time.now), Math.abs(wall() - stored.wall))
    const isSameKind = (stored?.time.crmTime === null) === (time.crmTime === null)
    if (passed !== null && isSameKind && passed < STORE_EVERY_MS) return
    try {
      memory.set(JSON.stringify({ ...time, marks }))
      stored = { time, wall: wall() }
    } catch {
      // The device is full. The next call tries again.
    }
  }
  const ahead = () => wall() - time.now

  return {
    /** Trusted time that decides when CRM data expires; epoch ms, comparable with the wall clock. */
    expiryNow(): number {
      move()
      store()
      return time.now
    },
    /** Trusted time for saves on the device; the wall clock if the CRM's answers have no `Date`. */
    saveNow(): number {
      move()
      return last?.dated === false ? wall() : Math.min(time.now, wall())
    },
    /** Input saved before this time (epoch ms of the wall clock) is certainly a day old. */
    dayOldBefore(): number {
      move()
      return dayOldBefore(marks)
    },
    /** True if the wall clock has jumped since the CRM's last answer. Nobody then knows whether a day has passed. */
    isInDoubt(): boolean {
      move()
      return ahead() > JUMP_MS && Math.abs(ahead() - (last?.ahead ?? 0)) > JUMP_MS
    },
    /** Called when the CRM has answered. @param date epoch ms of the answer's `Date`; null without one */
    answered(date: number | null): void {
      move()
      time = answered(time, wall(), date)
      if (date !== null) marks = afterAnswer(marks, wall(), date)
      last = { ahead: ahead(), dated: date !== null }
      store()
    },
  }
}
