/**
 * Deletes data of users who are not signed in. Unsent work stays, and drafts stay until they are a day old (sync RULES
 * EX6, decisions/session). Runs after each logout, and at each start after the first screen.
 */
import { dayOldBefore, restoredMarks } from '#sync/lib/trusted-clock.ts'
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
  /** Database names (`genba-<hash>`) of the signed-in users whose data stays. */
  signedIn: () => Promise<string[]>
  /**
   * Users whose encryption keys stay usable: those of `signedIn`, and users signed in at a CRM that `config.json`
   * lacks.
   */
  keyed: () => Promise<string[]>
  /** True for a user whose data may be deleted. Default: all users. */
  isSwept?: (user: string) => boolean
  /** Returns epoch ms of the device's clock. */
  now: () => number
  time: () => string | null
  /**
   * Store of photos that the phone has shared with the app (decisions/photos). The phone may share photos for some time
   * after a logout, and the user's encryption key stays for that time.
   */
  received?: ReceivedStore
  report: (problem: unknown) => void
}

export async function sweepUsers(parts: SweepParts): Promise<void> {
  const { keys, indexedDB, received, isSwept = () => true } = parts
  // Keys are destroyed first, even if another tab still has the stores open.
  await keys.lock(async (user) => !isSwept(user) || (await isIn(parts.keyed)(user))).catch(parts.report)
  if (received) await expireReceived(received, untilOf(parts.now(), parts.time()).drafts).catch(parts.report)
  const withKeys = await keys.users().catch(() => [])
  for (const name of new Set([...(await usersOnDevice(indexedDB)), ...withKeys]))
    if (isSwept(name)) await sweep(name, parts)
}

/**
 * Deletes the data of one user. If a tab has the user's stores open, nothing happens; that tab deletes the data when it
 * closes the stores, or else the next start does.
 */
async function sweep(name: string, parts: SweepParts): Promise<void> {
  const { indexedDB, locks, keys, signedIn, keyed, now, time, received, report } = parts
  const isSignedIn = () => isIn(signedIn)(name)
  try {
    if (await isSignedIn()) return
    await withoutData(locks, name, async () => {
      // The user may have logged in meanwhile.
      if (await isSignedIn()) return
      const isDataLeft = await leaveUnsentOnly(indexedDB, name, untilOf(now(), time()))
      const times = { now: now(), until: untilOf(now(), time()).drafts }
      const isReceiver = received !== undefined && (await stillReceives(received, name, times))
      if (!isDataLeft && !isReceiver) await keys.forget(name, isIn(keyed))
    })
  } catch (error) {
    report(error)
  }
}

/** Times before which drafts and photo bytes are deleted. @param time the stored trusted time (EX3) */
export const untilOf = (now: number, time: string | null): Until => ({
  drafts: dayOldBefore(restoredMarks(time)),
  bytes: now - HOUR_MS,
})
