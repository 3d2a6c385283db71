/** Computes the record of a user's keys that a login or unlock must store. `user-keys.ts` shows the cases. Pure. */
import { withRecovery, type Recovery } from '#data/encryption/recovery.ts'
import { createSealer, ringOf } from '#data/encryption/key-ring.ts'
import type { SealedPlace } from '#data/encryption/seal.ts'
import {
  currentOf,
  nameDigest,
  saltingOf,
  type StoredKey,
  type StoredKeys,
} from '#data/encryption/stored-keys.ts'
import { rawOf } from '#data/encryption/passkey.ts'
import { freshKey, freshSalt, unwrapped, usableKey, wrapped, type Salting } from '#data/encryption/wrap.ts'

export interface Login<Who> {
  user: string
  userName: string
  /** Session data, which is stored encrypted so that the user can later log in without the CRM. */
  who: Who
}

export interface Password {
  opener(salting: Salting): Promise<CryptoKey>
  /** Salt for a key that is newly encrypted with this password. */
  fresh: Salting
}

type KeyMaking = { recovery: Recovery; newId: () => string }
type UsableKey = StoredKey & Required<Pick<StoredKey, 'usable' | 'opener'>>

/** Decrypts each key that the password opens, and returns the other keys unchanged. */
export const unlocked = (
  recovery: Recovery,
  keys: readonly StoredKey[],
  { opener }: Pick<Password, 'opener'>,
): Promise<StoredKey[]> =>
  Promise.all(
    keys.map(async (stored) => {
      const openedBy = await opener(saltingOf(stored))
      const raw = await unwrapped(openedBy, stored.id, stored.wrapped)
      if (!raw) return stored
      return { ...(await recoverable(recovery, stored, raw)), opener: openedBy }
    }),
  )

/** Imports a raw data key for use, and adds a copy that is encrypted for the operator's recovery key. */
async function recoverable<Key extends Pick<StoredKey, 'id' | 'wraps'>>(
  recovery: Recovery,
  { wraps, ...key }: Key,
  raw: BufferSource,
) {
  const copies = await withRecovery(recovery, { id: key.id, ...(wraps && { wraps }) }, raw)
  return { ...key, ...copies, usable: await usableKey(raw) }
}

/** Returns the keys to store after a login. There is a new key, with new stores, if the password opens none. */
export async function afterLogin<Who>(
  parts: KeyMaking,
  before: StoredKeys | null,
  password: Password,
  { user, userName, who }: Login<Who>,
): Promise<StoredKeys> {
  const known = before ? await unlocked(parts.recovery, before.keys, password) : []
  const current = await currentAfter(parts, before, known, password)
  const { salt } = freshSalt()
  const sealer = createSealer(ringOf({ id: current.id, key: current.usable }))
  return {
    name: { salt, digest: await nameDigest(userName, salt) },
    who: await sealer.sealValue(placeOfWho(user), who),
    current: current.id,
    keys: [...known.filter(({ id }) => id !== current.id), current],
  }
}

/** Returns the place of the encrypted session data, which the encryption authenticates (`seal.ts`). */
export const placeOfWho = (user: string): SealedPlace => [user, 'who', '']

/**
 * Returns the key that encrypts new data after a login, encrypted with the password.
 * @param known the stored keys, as `unlocked` returns them
 */
async function currentAfter(
  parts: KeyMaking,
  before: StoredKeys | null,
  known: readonly StoredKey[],
  password: Password,
): Promise<UsableKey> {
  const { fresh } = password
  const last = before && known.find(({ id }) => id === before.current)
  const openedKey = async (key: StoredKey | null | undefined): Promise<UsableKey | null> => {
    const { usable, opener } = key ?? {}
    const isOpened = key && usable && opener && opener === (await password.opener(saltingOf(key)))
    return isOpened ? { ...key, usable, opener } : null
  }
  // The password opens the key, so the key stays as it is.
  const same = await openedKey(last)
  if (same) return same
  // If the user was signed in and has changed the password, the same key is encrypted with the new password.
  const raw = last ? await rawOf(last) : null
  // The password was changed back, so the stores of an earlier key are the user's stores again.
  const earlier = raw ? [] : await Promise.all(known.map(openedKey))
  const back = earlier.findLast((key) => key !== null)
  if (back) return back
  const newOpener = await password.opener(fresh)
  const id = last && raw ? last.id : parts.newId()
  const newRaw = raw ?? freshKey()
  const rewrapped = { ...(raw && last), id, wrapped: await wrapped(newOpener, fresh, id, newRaw) }
  return { ...(await recoverable(parts.recovery, rewrapped, newRaw)), opener: newOpener }
}

/** Returns the keys to store after a login without the CRM; null if the password does not open the current key. */
export async function afterOffline(recovery: Recovery, before: StoredKeys, password: Password) {
  const current = currentOf(before)
  const opener = await password.opener(saltingOf(current))
  if (!(await unwrapped(opener, current.id, current.wrapped))) return null
  return { ...before, keys: await unlocked(recovery, before.keys, password) }
}
