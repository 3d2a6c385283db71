/**
 * What came from the CRM leaves the device a day after it was last confirmed (RULES EX1). The pull gives it back to RxDB as
 * deleted; while nothing can be read, it is looked for all the same.
 */
import { firstValueFrom, from, map, race, timer } from 'rxjs'
import { EXPIRY_HOURS } from '#schemas/limits.ts'
import type { Gate } from './gate.ts'
import type { LocalRecord } from './resources/pull-resource.ts'

/** Soon after the start, for what went first takes others along; then ever more seldom. */
const FIRST_LOOK_MS = 1_000
const LOOK_EVERY_MS = 10 * 60_000

/** ISO 8601: what was confirmed before this has expired. */
export const expiredBefore = (now: number): string => new Date(now - EXPIRY_HOURS * 3_600_000).toISOString()

/** Stamps begin with the time, in milliseconds. */
const isOlder = (stamp: string, now: number) => Number.parseInt(stamp, 10) < now - EXPIRY_HOURS * 3_600_000

/** A record that only mirrors the CRM, for a day. */
export const isExpiredRecord = ({ server, changes = [] }: LocalRecord, now: number): boolean =>
  changes.length === 0 && isOlder(server?.stamp ?? '0', now)

export interface EachOnce {
  /** Of these, what was not given since the round began. */
  only<T extends { key: string }>(docs: readonly T[]): T[]
  /** A new round. */
  again(): void
}

/**
 * RxDB writes what it is given later than it asks again, and leaves alone what has an unsent write: a removal is given once
 * a round, or the pull would never end (RULES traps 8, 14).
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
