/** Unlocks the data of the signed-in user with the password or a passkey. */
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
import { currentOf, saltingOf } from './stored-keys.ts'
import type { IsSignedIn, KeyRecords } from './user-keys.ts'

export interface Unlock {
  keys: KeyRecords
  /** Called just before keys are stored, because the user may have logged out meanwhile. */
  isSignedIn: IsSignedIn
}

/** Unlocks with a password. `failed`: nobody is signed in, or the user has no keys. */
export async function unlockByPassword({ keys, isSignedIn }: Unlock, user: string, text: string) {
  const known = await keys.record(user)
  if (!known) return 'failed'
  const opener = openersOf(text)
  // The slow key derivation runs here, before `change` locks the key store for all tabs. `opener` caches the result.
  await opener(saltingOf(currentOf(known)))
  const password = { opener, fresh: saltingOf(currentOf(known)) }
  let isWrong = false
  const isOpen = await keys.change(user, async (record) => {
    if (!(await isSignedIn(user))) return null
    const next = await afterOffline('unknown', record, password)
    isWrong = next === null
    return next
  })
  if (isOpen) return 'open'
  return isWrong ? 'wrong' : 'failed'
}

/** Returns the id of the user's passkey and the salt for its PRF; null if there is no passkey. */
export async function passkeyAsk({ keys }: Pick<Unlock, 'keys'>, user: string): Promise<PasskeyAsk | null> {
  const record = await keys.record(user)
  return record && passkeyOf(currentOf(record))
}

/** Unlocks with a passkey. @returns true if its PRF output `secret` opened the current key */
export async function unlockByPasskey(
  { keys, isSignedIn }: Unlock,
  user: string,
  secret: BufferSource,
  { salt }: PasskeyAsk,
): Promise<boolean> {
  const opener = await passkeyOpener(secret, salt)
  return keys.change(user, async (record) => {
    if (!(await isSignedIn(user))) return null
    const opened = await Promise.all(record.keys.map((key) => openedByPasskey(key, opener)))
    const next = { ...record, keys: opened }
    return currentOf(next).passkeyOpener === opener ? next : null
  })
}

/** Adds a passkey for every key that can be decrypted now; false if the current key cannot. */
export async function setPasskey(
  { keys }: Pick<Unlock, 'keys'>,
  user: string,
  secret: BufferSource,
  ask: PasskeyAsk,
): Promise<boolean> {
  const opener = await passkeyOpener(secret, ask.salt)
  return keys.change(user, async (record) => {
    const withAsk = await Promise.all(record.keys.map((key) => withPasskey(key, opener, ask)))
    const next = { ...record, keys: withAsk }
    return passkeyOf(currentOf(next))?.credential === ask.credential ? next : null
  })
}

/** Removes the passkey from all keys. @returns false if the user has no keys */
export const removePasskey = ({ keys }: Pick<Unlock, 'keys'>, user: string): Promise<boolean> =>
  keys.change(user, (record) => ({ ...record, keys: record.keys.map(withoutPasskey) }))
