/** The keys of this device's users (decisions/encryption). Loaded when a key is used, created or destroyed. */
import type { Session } from '#schemas/device/session.ts'
import { isOfCrm } from '#data/database/database-name.ts'
import { recoveryKeyOf, type Recovery } from '#data/encryption/recovery.ts'
import { UNLOCKED_KEYS_CHANNEL, unlockedKeys } from '#data/encryption/unlocked-keys.ts'
import { openKeyStore } from '#data/encryption/stored-keys.ts'
import { createUserKeys, type UserKeys } from '#data/encryption/user-keys.ts'
import { deviceStore, isLockSet } from '#app/config/device-values.ts'

/** Stored facts about the owner of a key. They suffice to show the owner's data while the CRM is unreachable. */
export type KnownUser = Pick<Session, 'userName' | 'userInfo'>
export type Keys = UserKeys<KnownUser>

interface Operator {
  /** Returns `recoveryPublicKey` of the settings; '' if it is not set. */
  publicKey: () => string
  report: (problem: unknown) => void
}

const NOBODY: Operator = { publicKey: () => '', report: () => undefined }

/**
 * @param scope identifies the CRM (`crm-scope.ts`)
 * @param operator the recovery key, with which a login wraps new keys; not needed otherwise
 */
export const openKeys = async (scope: string, operator = NOBODY): Promise<Keys> => {
  const device = deviceStore()
  return createUserKeys<KnownUser>({
    store: unlockedKeys(openKeyStore(), {
      isLockSet: () => isLockSet(device),
      channel: new BroadcastChannel(UNLOCKED_KEYS_CHANNEL),
    }),
    isOwn: await isOfCrm(scope),
    cryptography: crypto,
    locks: navigator.locks,
    newId: () => crypto.randomUUID(),
    recovery: () => recoveryOf(operator),
  })
}

/** The operator's recovery key. An invalid key is reported and does not prevent the login. */
async function recoveryOf({ publicKey, report }: Operator): Promise<Recovery> {
  const text = publicKey()
  if (text === '') return 'none'
  try {
    return await recoveryKeyOf(crypto, text)
  } catch (error) {
    report(new Error('recoveryPublicKey', { cause: error }))
    return 'unknown'
  }
}
