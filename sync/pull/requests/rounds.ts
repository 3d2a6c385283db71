/**
 * How much of the window a round reads (RULES PL5, decisions/pull): pure decisions. Every round reads the rows of today
 * and tomorrow, which is a page; the whole window is read at the start, when the user asks, on a new day, and every
 * half hour.
 */
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { Question } from '#sync/storage/interests.ts'
import { tokyoDay } from '#sync/lib/tokyo-day.ts'

/** In sight, a round begins so often. */
export const ROUND_EVERY_MS = 5 * 60_000
/** The sixth round at the latest: a minute less, for timers are late by a little. */
export const WINDOW_EVERY_MS = 29 * 60_000

export type Range = 'near' | 'window'

/** Why there is a round: the user asks; the signal or the CRM came back; a start, a look at the app, five minutes. */
export type Cause = 'asked' | 'back' | 'usual'

/** When the whole window was last read to its end; null where that was not yet. */
export type WindowRead = number | null

/** One round serves all who wait for one: the most demanding decides. */
export const joined = (waiting: Cause | null, cause: Cause): Cause =>
  waiting === 'asked' || waiting === null ? (waiting ?? cause) : cause === 'usual' ? waiting : cause

/** While the CRM does not answer, rounds come due on all devices: once it does, the one that follows is enough. */
export const afterOutage = (waiting: Cause | null, read: WindowRead): Cause | null =>
  waiting === 'usual' && read !== null ? null : waiting

/** After coming back only what is near: the window has its turn within five minutes, on each device at another time. */
export function rangeOf(cause: Cause, read: WindowRead, now: number): Range {
  if (cause === 'asked' || read === null || tokyoDay(read) !== tokyoDay(now)) return 'window'
  // a clock set back says nothing
  const isOld = now < read || now - read >= WINDOW_EVERY_MS
  return isOld && cause === 'usual' ? 'window' : 'near'
}

export const rangeDays = (range: Range, now: number) =>
  range === 'near'
    ? { from: tokyoDay(now), to: tokyoDay(now, 1) }
    : { from: tokyoDay(now, -WINDOW_DAYS_BACK), to: tokyoDay(now, WINDOW_DAYS_AHEAD) }

/** The rounds of requests, as a value. */
export interface Rounds {
  /** Why another one is to begin; null where none is. */
  due: Cause | null
  isUnderWay: boolean
  /** Of the one under way, or the last. */
  range: Range
  /** The user's 更新 that it answers; one that comes during it is for the next. */
  answers: Question | undefined
  windowRead: WindowRead
  /** What the last round was to read, and could not to its end: the other range has its turn first (RULES PL8). */
  stuck: Range | null
}

/** At the start the whole window is read. */
export const FIRST_ROUND: Rounds = {
  due: 'usual',
  isUnderWay: false,
  range: 'window',
  answers: undefined,
  windowRead: null,
  stuck: null,
}

const OTHER: Readonly<Record<Range, Range>> = { near: 'window', window: 'near' }

/** @param asked the user's 更新, which this round answers: it reads the whole window */
export function begunRound(rounds: Rounds, asked: Question | undefined, now: number): Rounds {
  const cause = asked ? 'asked' : (rounds.due ?? 'usual')
  const { stuck, windowRead } = rounds
  const range = stuck && cause !== 'asked' ? OTHER[stuck] : rangeOf(cause, windowRead, now)
  return { ...rounds, due: null, isUnderWay: true, answers: asked, range }
}

/**
 * The CRM gives others, and not the next page of this round, which another one is due after: what is near must not stay as it
 * was for a row of next week that the CRM chokes on (RULES PL8).
 */
export const stuckRound = (rounds: Rounds): Rounds => {
  const { range, windowRead } = rounds
  return { ...rounds, isUnderWay: false, stuck: range, windowRead: range === 'window' ? null : windowRead }
}

interface RoundEnd {
  state: 'answered' | 'failed'
  isDoubted: boolean
  /** What it lacks is looked for once more, at once. */
  isAgain: boolean
}

/** A window that was doubted is read again with the next round (RULES PL6); one that made room for what is near, after that. */
export function endedRound(rounds: Rounds, { state, isDoubted, isAgain }: RoundEnd, now: number): Rounds {
  const { range, stuck } = rounds
  const isWhole = range === 'window' && state === 'answered'
  const windowRead = isWhole ? (isDoubted ? null : now) : rounds.windowRead
  const isWindowsTurn = stuck === 'window' && range === 'near' && state === 'answered'
  const due = isAgain || isWindowsTurn ? joined(rounds.due, 'usual') : rounds.due
  return { ...rounds, due, isUnderWay: false, windowRead, stuck: null }
}
