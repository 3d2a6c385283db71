/**
 * Reduces the stores of users who are not signed in to unsent work and the last day's drafts, at each logout and start (sync
 * RULES EX6, decisions/session). Loaded after the first screen.
 */
import { dayOldBefore, restoredMarks } from '#sync/lib/day-marks.ts'
import { leaveUnsentOnly, usersOnDevice } from '#data/user-stores/user-stores.ts'
import { withoutData, type DataLocks } from '#data/database/data-lock.ts'
import { expireReceived, stillReceives, type ReceivedStore } from '#data/received/received-store.ts'
import type { Until } from '#data/database/what-stays.ts'
import { isIn } from './signed-in.ts'
import type { Keys } from '#app/session/state/keys.ts'

const HOUR_MS = 3_600_000

export interface SweepParts {
  indexedDB: IDBFactory
  locks: DataLocks
  keys: Pick<Keys, 'lock' | 'forget' | 'users'>
  /** `genba-<hash>` of the signed-in users with permission, of every CRM. */
  signedIn: () => Promise<string[]>
  /**
   * Users with a session, including those of CRMs that `config.json` no longer names: without a logout their keys stay.
   */
  keyed: () => Promise<string[]>
  /** Default: all users. */
  isSwept?: (user: string) => boolean
  /** Epoch ms of the device's clock. */
  now: () => number
  /** The stored trusted time (EX3). */
  time: () => string | null
  /** Shared photos (decisions/photos): the key of who may still receive them stays. Without it, no key does. */
  received?: ReceivedStore
  report: (problem: unknown) => void
}

export async function sweepUsers(parts: SweepParts): Promise<void> {
  const { keys, indexedDB, received, isSwept = () => true } = parts
  // The keys are destroyed at once, even if another tab still has the stores open.
  await keys.lock(async (user) => !isSwept(user) || (await isIn(parts.keyed)(user))).catch(parts.report)
  if (received) await expireReceived(received, untilOf(parts.now(), parts.time()).drafts).catch(parts.report)
  const withKeys = await keys.users().catch(() => [])
  for (const name of new Set([...(await usersOnDevice(indexedDB)), ...withKeys]))
    if (isSwept(name)) await sweep(name, parts)
}

/** Skips a user whose stores are open: that tab sweeps them when it closes them, or the next start. */
async function sweep(name: string, parts: SweepParts): Promise<void> {
  const { indexedDB, locks, keys, signedIn, keyed, now, time, received, report } = parts
  const isSignedIn = () => isIn(signedIn)(name)
  try {
    if (await isSignedIn()) return
    await withoutData(locks, name, async () => {
      // a user may have logged in meanwhile, in any tab
      if (await isSignedIn()) return
      const isAny = await leaveUnsentOnly(indexedDB, name, untilOf(now(), time()))
      const times = { now: now(), until: untilOf(now(), time()).drafts }
      const isReceiver = received !== undefined && (await stillReceives(received, name, times))
      if (!isAny && !isReceiver) await keys.forget(name, isIn(keyed))
    })
  } catch (error) {
    report(error)
  }
}

/** Until when data stays. @param time the stored trusted time (EX3) */
export const untilOf = (now: number, time: string | null): Until => ({
  drafts: dayOldBefore(restoredMarks(time)),
  bytes: now - HOUR_MS,
})
