/** Maintains the trusted time (`trusted-time.ts`) over restarts of the app (RULES EX3). */
import { dayOldBefore, afterTick, restoredMarks, afterAnswer } from './day-marks.ts'
import { answered, ran, restored, type TrustedTime } from './trusted-time.ts'

/** A pull's clock: the device's time, stamps, and the trusted time. */
export interface PullClock extends Pick<TrustedClock, 'expiryNow'> {
  now(): number
  stamp(): string
}

/** The clocks that the trusted clock combines, and the storage of its state. */
export interface TimeParts {
  /** The device's clock, epoch ms. */
  wall: () => number
  /** A monotonic clock, milliseconds. */
  monotonic: () => number
  /** Shared by all tabs; survives restarts. */
  memory: { get(): string | null; set(text: string): void }
}

export interface TrustedClock {
  /** The trusted time, by which CRM data expires; epoch ms on the scale of the wall clock. */
  expiryNow(): number
  /** The trusted time for local saves; the wall clock if the CRM answers without a `Date`. */
  saveNow(): number
  /**
   * Input that was saved before this time is certainly a day old; epoch ms of the wall clock, -Infinity if no
   * input is.
   */
  dayOldBefore(): number
  /**
   * True if the wall clock has jumped ahead since the CRM last answered, so it is unknown whether a day has
   * passed.
   */
  isInDoubt(): boolean
  /**
   * The CRM has answered.
   * @param date of its answer, epoch ms; null if it has none
   */
  answered(date: number | null): void
}

/** Interval of storing the state, and so the running time that a crash may lose. */
const STORE_EVERY_MS = 30_000
const DOUBT_MS = 3_600_000

/** Creates the clock and restores its stored state. */
export function createTrustedClock({ wall, monotonic, memory }: TimeParts): TrustedClock {
  const before = memory.get()
  let time = restored(before, wall())
  let marks = afterTick(restoredMarks(before), 0, wall())
  let at = monotonic()
  let stored: { time: TrustedTime; wall: number } | null = null
  /** How far the wall clock was ahead at the last answer, and whether the answer had a date. */
  let last: { ahead: number; dated: boolean } | null = null

  function move() {
    const now = monotonic()
    time = ran(time, now - at, wall())
    marks = afterTick(marks, now - at, wall())
    at = now
  }
  function store() {
    const isSoon = (a: number, b: number) => Math.abs(a - b) < STORE_EVERY_MS
    const isSameKind = stored !== null && (stored.time.crmTime === null) === (time.crmTime === null)
    if (isSameKind && stored && isSoon(time.now, stored.time.now) && isSoon(wall(), stored.wall)) return
    try {
      memory.set(JSON.stringify({ ...time, marks }))
      stored = { time, wall: wall() }
    } catch {
      // No room on the device: the next call tries again.
    }
  }
  const ahead = () => wall() - time.now

  return {
    expiryNow() {
      move()
      store()
      return time.now
    },
    saveNow() {
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
      store()
    },
  }
}
