/** The keys of this device's users (decisions/encryption). Loaded where a key is used, made or destroyed. */
import type { Session } from '#schemas/session.ts'
import { isOfCrm } from '#data/database-name.ts'
import { recoveryKeyOf, type Recovery } from '#data/seal/recovery.ts'
import { HELD_CHANNEL, heldKeys } from '#data/seal/held-keys.ts'
import { openKeyStore } from '#data/seal/stored-keys.ts'
import { createUserKeys, type UserKeys } from '#data/seal/user-keys.ts'
import { deviceStore, isLockSet } from '#app/config/device-values.ts'

/** Who a key is of: enough to show what is on the device while no CRM can be asked. */
export type KnownUser = Pick<Session, 'userName' | 'userInfo'>
export type Keys = UserKeys<KnownUser>

interface Operator {
  /** `recoveryPublicKey` of the settings; '' where there is none. */
  publicKey: () => string
  report: (problem: unknown) => void
}

const NOBODY: Operator = { publicKey: () => '', report: () => undefined }

/**
 * @param scope of the CRM whose login looks for a user (`crm-scope.ts`)
 * @param operator for whom keys are wrapped at a login; needed where somebody logs in
 */
export const openKeys = async (scope: string, operator = NOBODY): Promise<Keys> => {
  const device = deviceStore()
  return createUserKeys<KnownUser>({
    store: heldKeys(openKeyStore(), {
      isLockSet: () => isLockSet(device),
      channel: new BroadcastChannel(HELD_CHANNEL),
    }),
    isOwn: await isOfCrm(scope),
    cryptography: crypto,
    locks: navigator.locks,
    newId: () => crypto.randomUUID(),
    recovery: () => recoveryOf(operator),
  })
}

/** A key that is none keeps nobody from the login. */
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
