/** A clock of the trusted time (`trusted-time.ts`), which is stored and survives restarts of the app (RULES EX3). */
import { dayOldBefore, afterTick, restoredMarks, afterAnswer } from './day-marks.ts'
import { answered, ran, restored, type TrustedTime } from './trusted-time.ts'

/** The clock of a pull: the device's time, stamps, and the trusted time. */
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
  /** Storage that all tabs share and that survives restarts. */
  memory: { get(): string | null; set(text: string): void }
}

export interface TrustedClock {
  /** The trusted time, by which CRM data expires; epoch ms on the scale of the wall clock. */
  expiryNow(): number
  /** The trusted time for local saves; the wall clock if the CRM answers without a `Date`. */
  saveNow(): number
  /** Input that was saved before this time is certainly a day old (`day-marks.ts`); epoch ms of the wall clock. */
  dayOldBefore(): number
  /** True if the wall clock has jumped ahead since the CRM last answered: nobody knows whether a day has passed. */
  isInDoubt(): boolean
  /** The CRM has answered. @param date `Date` of the answer, epoch ms; null if it has none */
  answered(date: number | null): void
}

/** Interval of storing the state. A crash may lose as much running time. */
const STORE_EVERY_MS = 30_000
/** The wall clock has jumped if its lead over the trusted time has changed by more than this. */
const JUMP_MS = 3_600_000

/** Creates the clock and restores its stored state. */
export function createTrustedClock({ wall, monotonic, memory }: TimeParts): TrustedClock {
  const before = memory.get()
  let time = restored(before, wall())
  let marks = afterTick(restoredMarks(before), 0, wall())
  let movedAt = monotonic()
  let stored: { time: TrustedTime; wall: number } | null = null
  /** By how much the wall clock was ahead at the CRM's last answer, and whether that answer had a date. */
  let last: { ahead: number; dated: boolean } | null = null

  /** Advances the time by the time that passed since the last call. */
  function move() {
    const now = monotonic()
    time = ran(time, now - movedAt, wall())
    marks = afterTick(marks, now - movedAt, wall())
    movedAt = now
  }
  function store() {
    const isSoon = (a: number, b: number) => Math.abs(a - b) < STORE_EVERY_MS
    const isSameKind = stored !== null && (stored.time.crmTime === null) === (time.crmTime === null)
    if (isSameKind && stored && isSoon(time.now, stored.time.now) && isSoon(wall(), stored.wall)) return
    try {
      memory.set(JSON.stringify({ ...time, marks }))
      stored = { time, wall: wall() }
    } catch {
      // The device has no room. The next call tries again.
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
      return ahead() > JUMP_MS && Math.abs(ahead() - (last?.ahead ?? 0)) > JUMP_MS
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
