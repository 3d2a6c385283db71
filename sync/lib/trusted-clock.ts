/**
 * The clock that shows the trusted time (`trusted-time.ts`). Its state is stored, so that it survives restarts (RULES
 * EX3).
 */
import { dayOldBefore, afterTick, restoredMarks, afterAnswer } from './day-marks.ts'
import { answered, ran, restored, type TrustedTime } from './trusted-time.ts'

export interface PullClock extends Pick<TrustedClock, 'expiryNow'> {
  now(): number
  stamp(): string
}

export interface TimeParts {
  /** The device's clock, epoch ms. */
  wall: () => number
  /** A monotonic clock, milliseconds. */
  monotonic: () => number
  /** Storage that all tabs share and that survives restarts. */
  memory: { get(): string | null; set(text: string): void }
}

export interface TrustedClock {
  /** Trusted time that decides when CRM data expires; epoch ms, comparable with the wall clock. */
  expiryNow(): number
  /** Trusted time for saves on the device; the wall clock if the CRM's answers have no `Date`. */
  saveNow(): number
  /** Input saved before this time (epoch ms of the wall clock) is certainly a day old (`day-marks.ts`). */
  dayOldBefore(): number
  /**
   * True if the wall clock has jumped ahead since the CRM's last answer. Nobody then knows whether a day has passed.
   */
  isInDoubt(): boolean
  /** Called when the CRM has answered. @param date epoch ms of the answer's `Date`; null without one */
  answered(date: number | null): void
}

/** Interval of storing the state. A crash loses at most this much running time. */
const STORE_EVERY_MS = 30_000
/**
 * If the distance between wall clock and trusted time changes by more than this (ms), somebody has set the wall
 * clock.
 */
const JUMP_MS = 3_600_000

export function createTrustedClock({ wall, monotonic, memory }: TimeParts): TrustedClock {
  const before = memory.get()
  let time = restored(before, wall())
  let marks = afterTick(restoredMarks(before), 0, wall())
  let movedAt = monotonic()
  let stored: { time: TrustedTime; wall: number } | null = null
  /**
   * At the CRM's last answer: how far the wall clock was ahead of the trusted time, in ms, and whether it had a
   * `Date`.
   */
  let last: { ahead: number; dated: boolean } | null = null

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
      // The device is full. The next call tries again.
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
