/** The keys of this device's users (decisions/encryption). */
import type { Session } from '#schemas/device/session.ts'
import { isOfCrm } from '#data/database/database-name.ts'
import { recoveryKeyOf, type Recovery } from '#data/encryption/recovery.ts'
import { UNLOCKED_KEYS_CHANNEL, unlockedKeys, openKeyStore } from '#data/encryption/stored-keys.ts'
import { createUserKeys, type UserKeys } from '#data/encryption/user-keys.ts'
import { deviceStore, isLockSet } from '#app/config/device-values.ts'

/** Data about a key's owner that is stored with the key, for a login while the CRM does not answer. */
export type KnownUser = Pick<Session, 'userName' | 'userInfo'>
export type Keys = UserKeys<KnownUser>

type Operator = { publicKey: () => string; report: (problem: unknown) => void }

const NOBODY: Operator = { publicKey: () => '', report: () => undefined }

/** @param operator has the recovery key for a login's new key @param device the device's store, if it is open */
export const openKeys = async (scope: string, operator = NOBODY, device = deviceStore()): Promise<Keys> =>
  createUserKeys<KnownUser>({
    store: unlockedKeys(openKeyStore(), {
      isLockSet: () => isLockSet(device),
      channel: new BroadcastChannel(UNLOCKED_KEYS_CHANNEL),
    }),
    isOwn: await isOfCrm(scope),
    locks: navigator.locks,
    newId: () => crypto.randomUUID(),
    recovery: () => recoveryOf(operator),
  })

/** Reads the operator's recovery key. An invalid key is reported, and the login continues without it. */
async function recoveryOf({ publicKey, report }: Operator): Promise<Recovery> {
  const text = publicKey()
  if (text === '') return 'none'
  try {
    return await recoveryKeyOf(text)
  } catch (error) {
    report(new Error('recoveryPublicKey', { cause: error }))
    return 'unknown'
  }
}
