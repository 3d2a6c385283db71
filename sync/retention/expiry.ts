/**
 * What came from the CRM leaves the device a day after it was last confirmed (RULES EX1). The pull gives it back to RxDB as
 * deleted; while nothing can be read, it is looked for all the same.
 */
import { firstValueFrom, from, map, race, timer } from 'rxjs'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { Gate } from '#sync/scheduler/gate.ts'
import type { LocalRecord } from '../merge/pulled-row.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'

/** Soon after the start, for what went first takes others along; then ever more seldom. */
const FIRST_LOOK_MS = 1_000
const LOOK_EVERY_MS = 10 * 60_000

/** ISO 8601: what was confirmed before this has expired. */
export const expiredBefore = (now: number): string => new Date(now - EXPIRY_MS).toISOString()

/** By more than a day. Stamps begin with the time, in milliseconds. */
export const isOlder = (stamp: string, now: number) => Number.parseInt(stamp, 10) < now - EXPIRY_MS

/** A record that only mirrors the CRM, for a day; and one whose stamp a wrong clock put further ahead (RULES EX3). */
export function isExpiredRecord(
  { server, changes = [] }: LocalRecord,
  clock: Pick<PullClock, 'now' | 'borneOut'>,
): boolean {
  const stamp = server?.stamp ?? '0'
  const isUndated = !isOlder(stamp, Math.max(clock.now(), clock.borneOut()) + 2 * EXPIRY_MS)
  return changes.length === 0 && (isOlder(stamp, clock.borneOut()) || isUndated)
}

export interface EachOnce {
  /** Of these, what was not given since the round began. */
  only<T extends { key: string }>(docs: readonly T[]): T[]
  /** A new round. */
  again(): void
}

/**
 * RxDB writes what it is given later than it asks again: a removal is given once a round, or the pull would never end
 * (RULES traps 8, 14).
 */
export function eachOnce(): EachOnce {
  const given = new Set<string>()
  return {
    only: (docs) => docs.filter(({ key }) => !given.has(key) && given.add(key)),
    again: () => given.clear(),
  }
}

/** Passes the gate, or gives what expired while it was closed. */
export async function passedOr<T>(gate: Gate, expired: () => Promise<T[]>): Promise<T[]> {
  const passed$ = from(gate.passed())
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(2 * wait, LOOK_EVERY_MS)) {
    const open = await firstValueFrom(race(passed$.pipe(map(() => true)), timer(wait).pipe(map(() => false))))
    const gone = open ? [] : await expired()
    if (open || gone.length > 0) return gone
  }
}
