/**
 * How much of the window a round reads (RULES PL5, decision 0039): pure decisions. Every round reads the rows of today and
 * tomorrow, which is a page; the whole window is read at the start, when the user asks, on a new day, and every half hour.
 */
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { Question } from '../storage/interests.ts'
import { tokyoDay } from '../lib/tokyo-day.ts'

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
}

/** At the start the whole window is read. */
export const FIRST_ROUND: Rounds = {
  due: 'usual',
  isUnderWay: false,
  range: 'window',
  answers: undefined,
  windowRead: null,
}

/** @param asked the user's 更新, which this round answers: it reads the whole window */
export const begunRound = (rounds: Rounds, asked: Question | undefined, now: number): Rounds => ({
  ...rounds,
  due: null,
  isUnderWay: true,
  answers: asked,
  range: rangeOf(asked ? 'asked' : (rounds.due ?? 'usual'), rounds.windowRead, now),
})

/** A window that was doubted is read again with the next round (RULES PL6). */
export function endedRound(
  rounds: Rounds,
  { state, isDoubted }: { state: 'answered' | 'failed'; isDoubted: boolean },
  now: number,
): Rounds {
  const isWhole = rounds.range === 'window' && state === 'answered'
  const windowRead = isWhole ? (isDoubted ? null : now) : rounds.windowRead
  return { ...rounds, isUnderWay: false, windowRead }
}
