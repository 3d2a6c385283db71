/** The keys of this device's users (decision 0075). Loaded where a key is used, made or destroyed. */
import type { Session } from '#schemas/session.ts'
import { isOfCrm } from '#data/database-name.ts'
import { openKeyStore } from '#data/seal/stored-keys.ts'
import { createUserKeys, type UserKeys } from '#data/seal/user-keys.ts'

/** Who a key is of: enough to show what is on the device while no CRM can be asked. */
export type KnownUser = Pick<Session, 'userName' | 'userInfo'>
export type Keys = UserKeys<KnownUser>

/** @param scope of the CRM whose login looks for a user (`crm-scope.ts`) */
export const openKeys = async (scope: string): Promise<Keys> =>
  createUserKeys<KnownUser>({
    store: openKeyStore(),
    isOwn: await isOfCrm(scope),
    cryptography: crypto,
    locks: navigator.locks,
    newId: () => crypto.randomUUID(),
  })
