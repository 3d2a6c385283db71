/**
 * Decides when a round of searches for requests begins, and which days it covers (RULES PL5, decisions/pull). Most
 * rounds cover today and tomorrow, which is one page of rows. A round covers the whole window at the start, at the
 * user's request, on a new day, and every half hour.
 */
import { filter, interval, map, merge, skip, switchMap, timer, type Observable } from 'rxjs'
import {
  REFETCH_AFTER_RECONNECT_MS,
  REFETCH_SPREAD_MS,
  WINDOW_DAYS_AHEAD,
  WINDOW_DAYS_BACK,
} from '#schemas/limits.ts'
import type { FetchRequest } from '#sync/storage/fetch-requests.ts'
import { tokyoDay } from '#sync/lib/tokyo-day.ts'

/** Interval of rounds while the app is visible. */
export const ROUND_EVERY_MS = 5 * 60_000
/** Every sixth round reads the whole window. The interval is a minute shorter than six rounds, because timers can be late. */
export const WINDOW_EVERY_MS = 29 * 60_000

/** The days that a round reads. `near`: today and tomorrow. `window`: all days that the device keeps. */
export type Range = 'near' | 'window'

/**
 * Why a round begins. `user`: the user requested it. `recovered`: the signal or the CRM returned. `regular`: a start,
 * the app became visible, or five minutes have passed.
 */
export type Cause = 'user' | 'recovered' | 'regular'

/** When the whole window was last read to its end, epoch ms; null if never. */
export type WindowRead = number | null

const MOST_URGENT_FIRST: readonly Cause[] = ['user', 'recovered', 'regular']

/** The more urgent of two causes of the same round. */
export const joined = (waiting: Cause | null, cause: Cause): Cause =>
  MOST_URGENT_FIRST.find((each) => each === waiting || each === cause) ?? cause

/**
 * The pending cause after an outage. A regular round that became due during the outage is cancelled, because a
 * `recovered` round follows anyway. It is not cancelled if the window was never read.
 */
export const afterOutage = (waiting: Cause | null, read: WindowRead): Cause | null =>
  waiting === 'regular' && read !== null ? null : waiting

/**
 * The range of a round. After an outage only near days are read. The window follows within five minutes, at a
 * different time on each device.
 */
export function rangeOf(cause: Cause, read: WindowRead, now: number): Range {
  if (cause === 'user' || read === null || tokyoDay(read) !== tokyoDay(now)) return 'window'
  // `now < read`: the clock was set back, so the age of the last read is unknown.
  const isOld = now < read || now - read >= WINDOW_EVERY_MS
  return isOld && cause === 'regular' ? 'window' : 'near'
}

export const rangeDays = (range: Range, now: number) =>
  range === 'near'
    ? { from: tokyoDay(now), to: tokyoDay(now, 1) }
    : { from: tokyoDay(now, -WINDOW_DAYS_BACK), to: tokyoDay(now, WINDOW_DAYS_AHEAD) }

/** The state of the rounds. */
export interface Rounds {
  /** Why the next round is due; null if no round is due. */
  due: Cause | null
  isUnderWay: boolean
  /** Range of the current round, or of the last one. */
  range: Range
  /** The user's 更新 that the current round answers. A 更新 during the round is answered by the next round. */
  answers: FetchRequest | undefined
  windowRead: WindowRead
  /** Range of the last round if that round was given up. The next round reads the other range (RULES PL8). */
  stuck: Range | null
}

/** At the start the whole window is read. */
export const FIRST_ROUND: Rounds = {
  due: 'regular',
  isUnderWay: false,
  range: 'window',
  answers: undefined,
  windowRead: null,
  stuck: null,
}

const OTHER_RANGE: Readonly<Record<Range, Range>> = { near: 'window', window: 'near' }

/**
 * Begins a round.
 * @param fetchRequest the user's 更新; the round answers it by reading the whole window
 */
export function begunRound(rounds: Rounds, fetchRequest: FetchRequest | undefined, now: number): Rounds {
  const cause = fetchRequest ? 'user' : (rounds.due ?? 'regular')
  const { stuck, windowRead } = rounds
  const range = stuck && cause !== 'user' ? OTHER_RANGE[stuck] : rangeOf(cause, windowRead, now)
  return { ...rounds, due: null, isUnderWay: true, answers: fetchRequest, range }
}

/**
 * Gives up a round. Its next page cannot be read although other calls succeed, and near days must not wait for an
 * unreadable page of next week (RULES PL8).
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
 * Ends a round. If removals from the window are doubted, the next round covers the window again (RULES PL6). A round
 * of near days that took the place of a given-up window is followed by the window.
 */
export function endedRound(rounds: Rounds, { state, isDoubted, isRereadNow }: RoundEnd, now: number): Rounds {
  const { range, stuck } = rounds
  const isRead = state === 'answered'
  const windowRead = isRead && range === 'window' ? (isDoubted ? null : now) : rounds.windowRead
  const isWindowNext = isRead && range === 'near' && stuck === 'window'
  const due = isRereadNow || isWindowNext ? joined(rounds.due, 'regular') : rounds.due
  return { ...rounds, due, isUnderWay: false, windowRead, stuck: null }
}

/**
 * Emits when a round begins (RULES PL5): when the app becomes visible, every 5 minutes while it is visible, and 3.5 s
 * plus up to 5 s after the signal or the CRM returned, so that a fleet does not start in the same second.
 */
export function refetchTriggers(
  back$: Observable<unknown>,
  visible$: Observable<boolean>,
  random: () => number,
): Observable<Cause> {
  const recovered$ = back$.pipe(
    switchMap(() => timer(REFETCH_AFTER_RECONNECT_MS + random() * REFETCH_SPREAD_MS)),
    map((): Cause => 'recovered'),
  )
  const shown$ = visible$.pipe(skip(1), filter(Boolean))
  const whileShown$ = visible$.pipe(switchMap((visible) => (visible ? interval(ROUND_EVERY_MS) : [])))
  return merge(recovered$, merge(shown$, whileShown$).pipe(map((): Cause => 'regular')))
}
