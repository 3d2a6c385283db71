/** Unlocks the data of the signed-in user: by password, or by a passkey that was added. */
import { afterOffline } from './after-login.ts'
import { openersOf } from './wrap.ts'
import {
  openedByPasskey,
  passkeyOf,
  passkeyOpener,
  withoutPasskey,
  withPasskey,
  type PasskeyAsk,
} from './passkey.ts'
import type { Cryptography } from './seal.ts'
import { currentOf, saltingOf } from './stored-keys.ts'
import type { IsSignedIn, KeyRecords } from './user-keys.ts'

export interface Unlock {
  keys: KeyRecords
  cryptography: Cryptography
  /** Called under the lock of the change, because the user may have logged out meanwhile. */
  isSignedIn: IsSignedIn
  newId: () => string
}

/**
 * Unlocks with a password.
 * @returns `open`; `wrong` if another password last opened the device's data; `failed` if nobody is signed in or
 * there is no key record
 */
export async function unlockByPassword(
  { keys, isSignedIn, ...parts }: Unlock,
  user: string,
  text: string,
): Promise<'open' | 'wrong' | 'failed'> {
  const known = await keys.record(user)
  if (!known) return 'failed'
  const opener = openersOf(parts.cryptography, text)
  // The slow derivation runs before the lock is taken. The opener caches its result.
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

/** The stored passkey and the salt for its PRF; null if no passkey was added. */
export async function passkeyAsk({ keys }: Pick<Unlock, 'keys'>, user: string): Promise<PasskeyAsk | null> {
  const record = await keys.record(user)
  return record && passkeyOf(currentOf(record))
}

/**
 * Unlocks with a passkey.
 * @param secret output of the passkey's PRF
 * @returns true if it opened the current key
 */
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

/**
 * Adds a passkey to every key that can be opened now.
 * @returns false if the current key cannot be opened
 */
export async function setPasskey(
  { keys, cryptography }: Pick<Unlock, 'keys' | 'cryptography'>,
  user: string,
  secret: BufferSource,
  ask: PasskeyAsk,
): Promise<boolean> {
  const opener = await passkeyOpener(cryptography, secret, ask.salt)
  return keys.change(user, async (record) => {
    const withAsk = await Promise.all(record.keys.map((key) => withPasskey(cryptography, key, opener, ask)))
    const next = { ...record, keys: withAsk }
    return passkeyOf(currentOf(next))?.credential === ask.credential ? next : null
  })
}

/** Removes the passkey from all keys. Returns false if the user has no key record. */
export const removePasskey = ({ keys }: Pick<Unlock, 'keys'>, user: string): Promise<boolean> =>
  keys.change(user, (record) => ({ ...record, keys: record.keys.map(withoutPasskey) }))
