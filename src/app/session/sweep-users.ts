/** Deletes data of users who are not signed in, but no unsent work, and drafts after a day (sync RULES EX6). */
import { dayOldBefore, restoredMarks } from '#sync/lib/trusted-clock.ts'
import {
  ALL_DRAFTS,
  hasUnsent,
  leaveUnsentOnly,
  storesOnDevice,
  usersOnDevice,
} from '#data/user-stores/user-stores.ts'
import { withoutData, type DataLocks, isOpen } from '#data/database/data-lock.ts'
import { expireReceived, stillReceives, type ReceivedStore } from '#data/received/received-store.ts'
import type { Until } from '#data/database/what-stays.ts'
import { isIn } from './signed-in.ts'
import type { Keys } from '#app/session/state/keys.ts'
import { isOfHome, storesName } from '#data/database/database-name.ts'

const HOUR_MS = 3_600_000

export interface SweepParts {
  indexedDB: IDBFactory
  locks: DataLocks
  keys: Pick<Keys, 'lock' | 'forget' | 'users' | 'record'>
  signedIn: () => Promise<string[]>
  /** Users whose keys stay usable: `signedIn`, and users at a CRM that `config.json` lacks. */
  keyed: () => Promise<string[]>
  isSwept?: (user: string) => boolean
  now: () => number
  time: () => string | null
  /** Photos shared with the app (decisions/photos). The key stays while the phone may share after a logout. */
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

/** Deletes one user's data, unless a tab has the stores open; that tab or the next start then deletes it. */
async function sweep(user: string, parts: SweepParts): Promise<void> {
  const { indexedDB, locks, keys, signedIn, keyed, now, time, received, report } = parts
  const isSignedIn = () => isIn(signedIn)(user)
  try {
    if (await isSignedIn()) return
    const all = await storesOf(user, parts)
    const left = new Set(all)
    // The stores of the present key are last. Its lock is held until the keys are forgotten, so that no tab opens them.
    for (const stores of all)
      await withoutData(locks, stores, async () => {
        if (await isSignedIn()) return
        const until = await untilFor(stores, user, parts)
        if (!(await leaveUnsentOnly(indexedDB, stores, until))) left.delete(stores)
        const times = { now: now(), until: untilOf(now(), time()).drafts }
        const isReceiver = received !== undefined && (await stillReceives(received, user, times))
        if (left.size === 0 && !isReceiver) await keys.forget(user, isIn(keyed))
      })
  } catch (error) {
    report(error)
  }
}

/** Returns the user's stores on disk, and those that an open tab may still create; those of the present key are last. */
async function storesOf(user: string, { indexedDB, keys }: Pick<SweepParts, 'indexedDB' | 'keys'>) {
  const record = await keys.record(user)
  const ofKeys = record?.keys.map(({ id }) => storesName(user, id)) ?? []
  const all = [...new Set([...(await storesOnDevice(indexedDB, user)), ...ofKeys])]
  const isCurrent = (stores: string) => record !== null && stores === storesName(user, record.current)
  return all.toSorted((a, b) => Number(isCurrent(a)) - Number(isCurrent(b)))
}

/** Drafts of locked data stay until the user discards them. */
async function untilFor(stores: string, user: string, { keys, now, time }: Ages): Promise<Until> {
  const record = await keys.record(user)
  const isLockedData = record !== null && storesName(user, record.current) !== stores
  return isLockedData ? ALL_DRAFTS : untilOf(now(), time())
}

type Ages = Pick<SweepParts, 'now' | 'time'> & { keys: Pick<Keys, 'record'> }

/** Times before which drafts and photo bytes are deleted. @param time the stored trusted time (EX3) */
export const untilOf = (now: number, time: string | null): Until => ({
  drafts: dayOldBefore(restoredMarks(time)),
  bytes: now - HOUR_MS,
})

interface LeaveCrm extends Omit<SweepParts, 'signedIn' | 'keyed' | 'isSwept'> {
  signOut(): Promise<void>
  forget(): Promise<void>
}

/** @returns false if there is unsent work or a draft, or if another tab has the data open; nothing is deleted then */
export async function leaveCrm({ signOut, forget, ...parts }: LeaveCrm): Promise<boolean> {
  const { indexedDB, locks } = parts
  const users = async () => (await usersOnDevice(indexedDB)).filter(isOfHome)
  for (const user of await users())
    for (const stores of await storesOnDevice(indexedDB, user)) {
      const until = await untilFor(stores, user, parts)
      if ((await isOpen(locks, stores)) || (await hasUnsent(indexedDB, stores, until))) return false
    }
  await signOut()
  const nobody = async () => []
  await sweepUsers({ ...parts, isSwept: isOfHome, signedIn: nobody, keyed: nobody })
  await forget()
  return (await users()).length === 0
}
