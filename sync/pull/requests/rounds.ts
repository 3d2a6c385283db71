/**
 * When a round of requests begins and how much of the window it reads (RULES PL5, decisions/pull). Every round reads the rows of today
 * and tomorrow, one page. The whole window is read at the start, at the user's request, on a new day, and
 * every half hour.
 */
import { filter, interval, map, merge, skip, switchMap, timer, type Observable } from 'rxjs'
import {
  REFETCH_AFTER_RECONNECT_MS,
  REFETCH_SPREAD_MS,
  WINDOW_DAYS_AHEAD,
  WINDOW_DAYS_BACK,
} from '#schemas/limits.ts'
import type { Question } from '#sync/storage/interests.ts'
import { tokyoDay } from '#sync/lib/tokyo-day.ts'

/** Interval of rounds while the app is visible. */
export const ROUND_EVERY_MS = 5 * 60_000
/** The sixth round at the latest; a minute less, because timers can be late. */
export const WINDOW_EVERY_MS = 29 * 60_000

export type Range = 'near' | 'window'

/**
 * Why there is a round: the user's request; the signal or the CRM returned; a start, the app became visible,
 * or five minutes have passed.
 */
export type Cause = 'asked' | 'back' | 'usual'

/** When the whole window was last read to its end, epoch ms; null if never. */
export type WindowRead = number | null

const MOST_URGENT_FIRST: readonly Cause[] = ['asked', 'back', 'usual']

/** The cause of a round that has two: the more urgent one. */
export const joined = (waiting: Cause | null, cause: Cause): Cause =>
  MOST_URGENT_FIRST.find((each) => each === waiting || each === cause) ?? cause

/**
 * The pending cause after an outage. A usual round that became due during the outage is cancelled, because a
 * round for the returned signal follows anyway; not before the window was read once.
 */
export const afterOutage = (waiting: Cause | null, read: WindowRead): Cause | null =>
  waiting === 'usual' && read !== null ? null : waiting

/**
 * The range of a round. After an outage only near days are read. The window follows within five minutes, at a
 * different time on each device.
 */
export function rangeOf(cause: Cause, read: WindowRead, now: number): Range {
  if (cause === 'asked' || read === null || tokyoDay(read) !== tokyoDay(now)) return 'window'
  // `now < read`: the clock was set back, so the age of the last read is unknown.
  const isOld = now < read || now - read >= WINDOW_EVERY_MS
  return isOld && cause === 'usual' ? 'window' : 'near'
}

export const rangeDays = (range: Range, now: number) =>
  range === 'near'
    ? { from: tokyoDay(now), to: tokyoDay(now, 1) }
    : { from: tokyoDay(now, -WINDOW_DAYS_BACK), to: tokyoDay(now, WINDOW_DAYS_AHEAD) }

/** The rounds of requests, as a value. */
export interface Rounds {
  /** Why the next round is due; null if none is. */
  due: Cause | null
  isUnderWay: boolean
  /** Range of the current round, or of the last one. */
  range: Range
  /** The user's 更新 that this round answers; one that is made during the round waits for the next. */
  answers: Question | undefined
  windowRead: WindowRead
  /**
   * Range of the last round if it could not be read to its end: the other range is read first (RULES PL8).
   */
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

const OTHER_RANGE: Readonly<Record<Range, Range>> = { near: 'window', window: 'near' }

/**
 * Begins a round.
 * @param question the user's 更新, which it answers by reading the whole window
 */
export function begunRound(rounds: Rounds, question: Question | undefined, now: number): Rounds {
  const cause = question ? 'asked' : (rounds.due ?? 'usual')
  const { stuck, windowRead } = rounds
  const range = stuck && cause !== 'asked' ? OTHER_RANGE[stuck] : rangeOf(cause, windowRead, now)
  return { ...rounds, due: null, isUnderWay: true, answers: question, range }
}

/**
 * Gives up a round whose next page cannot be read although other calls succeed, because near days must not
 * wait for an unreadable page of next week (RULES PL8).
 */
export const stuckRound = (rounds: Rounds): Rounds => {
  const { range, windowRead } = rounds
  return { ...rounds, isUnderWay: false, stuck: range, windowRead: range === 'window' ? null : windowRead }
}

interface RoundEnd {
  state: 'answered' | 'failed'
  isDoubted: boolean
  /** True if the snapshot must be read again at once to confirm removals. */
  isRereadNow: boolean
}

/**
 * Ends a round. A window with doubted removals is read again with the next round (RULES PL6). If the window
 * was given up so that the near days are read first, it follows after them.
 */
export function endedRound(rounds: Rounds, { state, isDoubted, isRereadNow }: RoundEnd, now: number): Rounds {
  const { range, stuck } = rounds
  const isWindowRead = range === 'window' && state === 'answered'
  const newWindowRead = isDoubted ? null : now
  const windowRead = isWindowRead ? newWindowRead : rounds.windowRead
  const isWindowNext = stuck === 'window' && range === 'near' && state === 'answered'
  const due = isRereadNow || isWindowNext ? joined(rounds.due, 'usual') : rounds.due
  return { ...rounds, due, isUnderWay: false, windowRead, stuck: null }
}

/**
 * When a round begins (RULES PL5): 3.5 s after the signal or the CRM returned plus up to 5 s, so that a fleet
 * does not start in the same second; when the app becomes visible; every 5 minutes while visible.
 */
export function refetchTriggers(
  back$: Observable<unknown>,
  visible$: Observable<boolean>,
  random: () => number,
): Observable<Cause> {
  const afterBack$ = back$.pipe(
    switchMap(() => timer(REFETCH_AFTER_RECONNECT_MS + random() * REFETCH_SPREAD_MS)),
  )
  const seen$ = visible$.pipe(skip(1), filter(Boolean))
  const inSight$ = visible$.pipe(switchMap((visible) => (visible ? interval(ROUND_EVERY_MS) : [])))
  return merge(
    afterBack$.pipe(map((): Cause => 'back')),
    merge(seen$, inSight$).pipe(map((): Cause => 'usual')),
  )
}
