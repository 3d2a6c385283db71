/**
 * Clears the data of the home CRM when `config.json` replaces that CRM, so that data of the replaced CRM is never sent to
 * the new CRM or shown under its name. Each of several CRMs has its own part of the device and needs no clearing
 * (decisions/config).
 */
import { hasUnsent, usersOnDevice } from '#data/user-stores/user-stores.ts'
import { isOpen } from '#data/database/data-lock.ts'
import { isOfHome } from '#data/database/database-name.ts'
import { sweepUsers, untilOf, type SweepParts } from '#app/session/sweep-users.ts'

interface LeaveCrm extends Omit<SweepParts, 'signedIn' | 'keyed' | 'isSwept'> {
  /** Removes the session with its tokens. */
  signOut(): Promise<void>
  /** Removes diagnostics, circuit breakers, summaries and shared photos. */
  forget(): Promise<void>
}

/** @returns false, with nothing cleared, if there is unsent work or a draft, or another tab has the data open */
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
