/**
 * Deletes the data of a CRM that `config.json` replaces by a new one, so that the data is never sent to the new CRM or
 * shown under the new name. If `config.json` names several CRMs, each has its own storage and nothing is deleted
 * (decisions/config).
 */
import { hasUnsent, usersOnDevice } from '#data/user-stores/user-stores.ts'
import { isOpen } from '#data/database/data-lock.ts'
import { isOfHome } from '#data/database/database-name.ts'
import { sweepUsers, untilOf, type SweepParts } from '#app/session/sweep-users.ts'

interface LeaveCrm extends Omit<SweepParts, 'signedIn' | 'keyed' | 'isSwept'> {
  signOut(): Promise<void>
  /** Removes the CRM's diagnostics, states of circuit breakers, summary and shared photos. */
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
