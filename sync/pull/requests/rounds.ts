/**
 * Decides when a round of searches for requests begins, and which days it covers (RULES PL5, decisions/pull): today and
 * tomorrow, or the whole window at the start, at the user's request, on a new day, and every half hour.
 */
import { filter, interval, map, merge, skip, switchMap, timer, type Observable } from 'rxjs'
import {
  REFETCH_AFTER_RECONNECT_MS,
  REFETCH_SPREAD_MS,
  WINDOW_DAYS_AHEAD,
  WINDOW_DAYS_BACK,
} from '#schemas/limits.ts'
import { tokyoDay } from '#schemas/instant.ts'

export const ROUND_EVERY_MS = 5 * 60_000
/** Every sixth round reads the whole window. The interval is a minute shorter than six rounds, because timers can be late. */
export const WINDOW_EVERY_MS = 29 * 60_000

/** The days that a round reads. `near`: today and tomorrow. `window`: all days that the device keeps. */
export type Range = 'near' | 'window'

/** Why a round begins. `recovered`: the signal or the CRM returned. `regular`: by itself, every five minutes. */
export type Cause = 'user' | 'recovered' | 'regular'

/** When the whole window was last read to its end, epoch ms; null if never. */
export type WindowRead = number | null

const MOST_URGENT_FIRST: readonly Cause[] = ['user', 'recovered', 'regular']

/** The more urgent cause. */
export const joined = (waiting: Cause | null, cause: Cause): Cause =>
  MOST_URGENT_FIRST.find((each) => each === waiting || each === cause) ?? cause

/** The pending cause after an outage. A `recovered` round follows, so a regular one is dropped unless the window is unread. */
export const afterOutage = (waiting: Cause | null, read: WindowRead): Cause | null =>
  waiting === 'regular' && read !== null ? null : waiting

/**
 * The range of a round. After an outage only near days are read; the window follows within five minutes.
 * @param stuck range of the last round if that round was given up: then the other range is read first (RULES PL8)
 */
export function rangeOf(cause: Cause, read: WindowRead, now: number, stuck: Range | null = null): Range {
  if (stuck && cause !== 'user') return stuck === 'near' ? 'window' : 'near'
  if (cause === 'user' || read === null || tokyoDay(read) !== tokyoDay(now)) return 'window'
  // `now < read`: the clock was set back, so the age of the last read is unknown.
  const isOld = now < read || now - read >= WINDOW_EVERY_MS
  return isOld && cause === 'regular' ? 'window' : 'near'
}

export const rangeDays = (range: Range, now: number) =>
  range === 'near'
    ? { from: tokyoDay(now), to: tokyoDay(now, 1) }
    : { from: tokyoDay(now, -WINDOW_DAYS_BACK), to: tokyoDay(now, WINDOW_DAYS_AHEAD) }

/** Emits when a round begins (RULES PL5). After an outage a random delay keeps all devices from reading at once. */
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
