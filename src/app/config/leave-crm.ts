/**
 * The device is cleared of one CRM before it is used with another: nothing of one is sent to, or shown under, the other.
 * Loaded only where `config.json` has named another in its place; one of several has its own part (decisions/config).
 */
import { hasUnsent, usersOnDevice } from '#data/user-stores.ts'
import { isOpen } from '#data/data-lock.ts'
import { isOfHome } from '#data/user-names.ts'
import { sweepUsers, untilOf, type SweepParts } from '#app/session/sweep-users.ts'

interface LeaveCrm extends Omit<SweepParts, 'signedIn' | 'keyed' | 'isSwept'> {
  /** Forgets the session: its tokens are that CRM's. */
  signOut(): Promise<void>
  /** Forgets what else came from it: log, rows of the first screen, how long it asked to wait. */
  forget(): Promise<void>
}

/** @returns false, with nothing cleared, where something is unsent or being typed, or another tab has it open */
export async function leaveCrm({ signOut, forget, ...parts }: LeaveCrm): Promise<boolean> {
  const { indexedDB, locks, now, time } = parts
  const users = async () => (await usersOnDevice(indexedDB)).filter(isOfHome)
  for (const user of await users()) {
    const stays = (await isOpen(locks, user)) || (await hasUnsent(indexedDB, user, untilOf(now(), time())))
    if (stays) return false
  }
  await signOut()
  const nobody = async () => []
  await sweepUsers({ ...parts, isSwept: isOfHome, signedIn: nobody, keyed: nobody })
  await forget()
  return (await users()).length === 0
}
