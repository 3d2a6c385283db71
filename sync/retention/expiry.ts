/**
 * Expires CRM data a day after it was last confirmed (RULES EX1). The pull returns it to RxDB as deleted,
 * even while nothing can be read.
 */
import { firstValueFrom, from, map, race, timer } from 'rxjs'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { Gate } from '#sync/scheduler/scheduler.ts'
import type { LocalRecord } from '../merge/merge-rows.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'

/**
 * Intervals of checking for expired data: soon after the start, because one expiry enables others, then more
 * rarely.
 */
const FIRST_LOOK_MS = 1_000
const LOOK_EVERY_MS = 10 * 60_000

/** Data confirmed before this time has expired, ISO 8601. */
export const expiredBefore = (now: number): string => new Date(now - EXPIRY_MS).toISOString()

/** True if a stamp is more than a day old. Stamps begin with the time in milliseconds. */
export const isOlder = (stamp: string, now: number) => Number.parseInt(stamp, 10) < now - EXPIRY_MS

/**
 * True for a record without local changes that was confirmed more than a day ago, or whose stamp a wrong
 * clock set far into the future (RULES EX3).
 */
export function isExpiredRecord(
  { server, changes = [] }: LocalRecord,
  clock: Pick<PullClock, 'now' | 'expiryNow'>,
): boolean {
  const stamp = server?.stamp ?? '0'
  const isUndated = !isOlder(stamp, Math.max(clock.now(), clock.expiryNow()) + 2 * EXPIRY_MS)
  return changes.length === 0 && (isOlder(stamp, clock.expiryNow()) || isUndated)
}

/** Filters documents so that each is returned once per round. */
export interface EachOnce {
  /** Those of the documents that were not returned in this round. */
  only<T extends { key: string }>(docs: readonly T[]): T[]
  /** Starts a new round, in which every document may be returned again. */
  again(): void
}

/**
 * Creates the filter. RxDB asks for more before it has written what it got, so a removal returned twice would
 * make the pull endless (RULES traps 8, 14).
 */
export function eachOnce(): EachOnce {
  const given = new Set<string>()
  return {
    only: (docs) => docs.filter(({ key }) => !given.has(key) && given.add(key)),
    again: () => given.clear(),
  }
}

/** Waits at the gate. If documents expire meanwhile, returns them. */
export async function passedOr<T>(gate: Gate, expired: () => Promise<T[]>): Promise<T[]> {
  const passed$ = from(gate.passed())
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(2 * wait, LOOK_EVERY_MS)) {
    const open = await firstValueFrom(race(passed$.pipe(map(() => true)), timer(wait).pipe(map(() => false))))
    const gone = open ? [] : await expired()
    if (open || gone.length > 0) return gone
  }
}
