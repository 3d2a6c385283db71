/** What was locked is opened again for who is signed in: by the password, or by a passkey that was set beside it. */
import { afterOffline } from './after-login.ts'
import { openersOf } from './openers.ts'
import {
  openedByPasskey,
  passkeyOf,
  passkeyOpener,
  withoutPasskey,
  withPasskey,
  type PasskeyAsk,
} from './passkey.ts'
import type { Cryptography } from './seal.ts'
import { currentOf, saltingOf, type StoredKeys } from './stored-keys.ts'
import type { IsSignedIn, UserKeys } from './user-keys.ts'

export interface Unlock {
  keys: Pick<UserKeys<unknown>, 'record' | 'change'>
  cryptography: Cryptography
  /** Asked in the same turn: a logout may have come before. */
  isSignedIn: IsSignedIn
  newId: () => string
}

/** @returns whether no key of the user can be used; a record that is missing opens nothing (decisions/encryption) */
export const isLocked = (record: StoredKeys | null): boolean => !record || !currentOf(record).usable

/**
 * @returns `open`; `wrong`: it is not the password that the device's contents were last opened with; `failed`: nobody is
 * signed in, or there is no record of keys
 */
export async function unlockByPassword(
  { keys, isSignedIn, ...parts }: Unlock,
  user: string,
  text: string,
): Promise<'open' | 'wrong' | 'failed'> {
  const known = await keys.record(user)
  if (!known) return 'failed'
  const opener = openersOf(parts.cryptography, text)
  // not in the turn: it takes its time
  await opener(saltingOf(currentOf(known)))
  const password = { opener, fresh: saltingOf(currentOf(known)) }
  let isWrong = false
  const isOpen = await keys.change(user, async (record) => {
    if (!(await isSignedIn(user))) return null
    const next = await afterOffline({ ...parts, recovery: 'unknown' }, record, password)
    isWrong = next === null
    return next
  })
  if (isOpen) return 'open'
  return isWrong ? 'wrong' : 'failed'
}

/** What a passkey is asked with; null where none is set. */
export async function passkeyAsk({ keys }: Pick<Unlock, 'keys'>, user: string): Promise<PasskeyAsk | null> {
  const record = await keys.record(user)
  return record && passkeyOf(currentOf(record))
}

/** @param secret of the passkey's PRF @returns whether it opened the key that is sealed with */
export async function unlockByPasskey(
  { keys, cryptography, isSignedIn }: Unlock,
  user: string,
  secret: BufferSource,
  { salt }: PasskeyAsk,
): Promise<boolean> {
  const opener = await passkeyOpener(cryptography, secret, salt)
  return keys.change(user, async (record) => {
    if (!(await isSignedIn(user))) return null
    const opened = await Promise.all(record.keys.map((key) => openedByPasskey(cryptography, key, opener)))
    const next = { ...record, keys: opened }
    return currentOf(next).passkeyOpener === opener ? next : null
  })
}

/** Every key that can be opened now goes under the passkey, too. @returns false where that is not the one sealed with */
export async function setPasskey(
  { keys, cryptography }: Pick<Unlock, 'keys' | 'cryptography'>,
  user: string,
  secret: BufferSource,
  ask: PasskeyAsk,
): Promise<boolean> {
  const opener = await passkeyOpener(cryptography, secret, ask.salt)
  return keys.change(user, async (record) => {
    const under = await Promise.all(record.keys.map((key) => withPasskey(cryptography, key, opener, ask)))
    const next = { ...record, keys: under }
    return passkeyOf(currentOf(next))?.credential === ask.credential ? next : null
  })
}

export const removePasskey = ({ keys }: Pick<Unlock, 'keys'>, user: string): Promise<boolean> =>
  keys.change(user, (record) => ({ ...record, keys: record.keys.map(withoutPasskey) }))
