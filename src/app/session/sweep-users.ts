/**
 * Deletes data of users who are not signed in, except unsent work and the last day's drafts (sync RULES EX6,
 * decisions/session). Runs at each logout and start, after the first screen.
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
  /** Database names (`genba-<hash>`) of users whose data stays: signed in, with permission, at any named CRM. */
  signedIn: () => Promise<string[]>
  /** Users whose keys stay: the users of `signedIn`, and users with a session at a CRM that `config.json` no longer names. */
  keyed: () => Promise<string[]>
  /** True for users whose data is deleted. Default: all users. */
  isSwept?: (user: string) => boolean
  /** Epoch ms of the device's clock. */
  now: () => number
  /** The stored trusted time (EX3). */
  time: () => string | null
  /** Store of shared photos (decisions/photos). The key of a user who may still receive them is not deleted. */
  received?: ReceivedStore
  report: (problem: unknown) => void
}

export async function sweepUsers(parts: SweepParts): Promise<void> {
  const { keys, indexedDB, received, isSwept = () => true } = parts
  // Usable keys are destroyed at once, even if another tab still has the stores open.
  await keys.lock(async (user) => !isSwept(user) || (await isIn(parts.keyed)(user))).catch(parts.report)
  if (received) await expireReceived(received, untilOf(parts.now(), parts.time()).drafts).catch(parts.report)
  const withKeys = await keys.users().catch(() => [])
  for (const name of new Set([...(await usersOnDevice(indexedDB)), ...withKeys]))
    if (isSwept(name)) await sweep(name, parts)
}

/** Skips a user whose stores are open. The tab that closes them, or the next start, deletes them then. */
async function sweep(name: string, parts: SweepParts): Promise<void> {
  const { indexedDB, locks, keys, signedIn, keyed, now, time, received, report } = parts
  const isSignedIn = () => isIn(signedIn)(name)
  try {
    if (await isSignedIn()) return
    await withoutData(locks, name, async () => {
      // The user may have logged in meanwhile, in any tab.
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

/** Returns the times before which drafts and photo bytes are deleted. @param time the stored trusted time (EX3) */
export const untilOf = (now: number, time: string | null): Until => ({
  drafts: dayOldBefore(restoredMarks(time)),
  bytes: now - HOUR_MS,
})
