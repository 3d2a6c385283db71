/** Deletes data of users who are not signed in, but no unsent work, and drafts after a day (sync RULES EX6). */
import { dayOldBefore, restoredMarks } from '#sync/lib/trusted-clock.ts'
import { leaveUnsentOnly, usersOnDevice, hasUnsent } from '#data/user-stores/user-stores.ts'
import { withoutData, type DataLocks, isOpen } from '#data/database/data-lock.ts'
import { expireReceived, stillReceives, type ReceivedStore } from '#data/received/received-store.ts'
import type { Until } from '#data/database/what-stays.ts'
import { isIn } from './signed-in.ts'
import type { Keys } from '#app/session/state/keys.ts'
import { isOfHome } from '#data/database/database-name.ts'

const HOUR_MS = 3_600_000

export interface SweepParts {
  indexedDB: IDBFactory
  locks: DataLocks
  keys: Pick<Keys, 'lock' | 'forget' | 'users'>
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
async function sweep(name: string, parts: SweepParts): Promise<void> {
  const { indexedDB, locks, keys, signedIn, keyed, now, time, received, report } = parts
  const isSignedIn = () => isIn(signedIn)(name)
  try {
    if (await isSignedIn()) return
    await withoutData(locks, name, async () => {
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

interface LeaveCrm extends Omit<SweepParts, 'signedIn' | 'keyed' | 'isSwept'> {
  signOut(): Promise<void>
  forget(): Promise<void>
}

/** @returns false if there is unsent work or a draft, or if another tab has the data open; nothing is deleted then */
export async function leaveCrm({ signOut, forget, ...parts }: LeaveCrm): Promise<boolean> {
  const { indexedDB, locks, now, time } = parts
  const users = async () => (await usersOnDevice(indexedDB)).filter(isOfHome)
  for (const user of await users()) {
    const isInUse = (await isOpen(locks, user)) || (await hasUnsent(indexedDB, user, untilOf(now(), time())))
    if (isInUse) return false
  }
  await signOut()
  const nobody = async () => []
  await sweepUsers({ ...parts, isSwept: isOfHome, signedIn: nobody, keyed: nobody })
  await forget()
  return (await users()).length === 0
}
