/** The keys of this device's users (decision 0075). Loaded where a key is used, made or destroyed. */
import type { Session } from '#schemas/session.ts'
import { databaseName } from '#data/database-name.ts'
import { openKeyStore } from '#data/seal/stored-keys.ts'
import { createUserKeys, type UserKeys } from '#data/seal/user-keys.ts'

/** Who a key is of: enough to show what is on the device while no CRM can be asked. */
export type KnownUser = Pick<Session, 'userName' | 'userInfo'>
export type Keys = UserKeys<KnownUser>

export const openKeys = (): Keys =>
  createUserKeys<KnownUser>({
    store: openKeyStore(),
    cryptography: crypto,
    locks: navigator.locks,
    newId: () => crypto.randomUUID(),
  })

/** Whether somebody is signed in as the user of this database. @param id of who is signed in now */
export const isUserOf = (id: () => Promise<string | null>) => async (user: string) => {
  const known = await id()
  return known !== null && (await databaseName(known)) === user
}
