/** Keeps the trusted time (`trusted-time.ts`) over the runs of the app: a thin effect around it (RULES EX3). */
import { dayOldBefore, afterTick, restoredMarks, afterAnswer } from './day-marks.ts'
import { answered, ran, restored, type TrustedTime } from './trusted-time.ts'

/** A pull's clock: the device's, the stamps, and how late it surely is. */
export interface PullClock extends Pick<TrustedClock, 'borneOut'> {
  now(): number
  stamp(): string
}

export interface TimeParts {
  /** Epoch ms of the device's clock. */
  wall: () => number
  /** Milliseconds that never go back while the page lives. */
  monotonic: () => number
  /** Over all tabs and runs. */
  memory: { get(): string | null; set(text: string): void }
}

export interface TrustedClock {
  /** How late it surely is, epoch ms of the wall clock: what the CRM gave is over by this. */
  borneOut(): number
  /** The same for what was saved here; where the CRM answers without a `Date`, the wall clock's own word. */
  ofSaves(): number
  /** What was typed here before this, epoch ms of the wall clock, is surely a day old; -Infinity where nothing is. */
  dayOldBefore(): number
  /** The wall clock has gone ahead, and nothing was heard of the CRM since: whether a day is over cannot be told. */
  isInDoubt(): boolean
  /** @param date of an answer of the CRM, epoch ms; null where it cannot be read */
  answered(date: number | null): void
}

/** So much running may be forgotten by a crash. */
const KEPT_EVERY_MS = 30_000
const DOUBT_MS = 3_600_000

export function createTrustedClock({ wall, monotonic, memory }: TimeParts): TrustedClock {
  const before = memory.get()
  let time = restored(before, wall())
  let marks = afterTick(restoredMarks(before), 0, wall())
  let at = monotonic()
  let kept: { time: TrustedTime; wall: number } | null = null
  /** By how much the wall clock was ahead at the last answer, and whether that had a date. */
  let last: { ahead: number; dated: boolean } | null = null

  function move() {
    const now = monotonic()
    time = ran(time, now - at, wall())
    marks = afterTick(marks, now - at, wall())
    at = now
  }
  function keep() {
    const isSoon = (a: number, b: number) => Math.abs(a - b) < KEPT_EVERY_MS
    const isKept = kept !== null && (kept.time.heard === null) === (time.heard === null)
    if (isKept && kept && isSoon(time.now, kept.time.now) && isSoon(wall(), kept.wall)) return
    try {
      memory.set(JSON.stringify({ ...time, marks }))
      kept = { time, wall: wall() }
    } catch {
      // no room: it is kept the next time
    }
  }
  const ahead = () => wall() - time.now

  return {
    borneOut() {
      move()
      keep()
      return time.now
    },
    ofSaves() {
      move()
      return last?.dated === false ? wall() : Math.min(time.now, wall())
    },
    dayOldBefore() {
      move()
      return dayOldBefore(marks)
    },
    isInDoubt() {
      move()
      return ahead() > DOUBT_MS && Math.abs(ahead() - (last?.ahead ?? 0)) > DOUBT_MS
    },
    answered(date) {
      move()
      time = answered(time, wall(), date)
      if (date !== null) marks = afterAnswer(marks, wall(), date)
      last = { ahead: ahead(), dated: date !== null }
      keep()
    },
  }
}
