/**
 * Computes a user's stored keys after a password was entered: from the stored keys and the password to the keys to
 * store. No side effects.
 */
import { withRecovery, type Recovery } from '#data/encryption/recovery.ts'
import { createSealer, ringOf } from '#data/encryption/key-ring.ts'
import type { Cryptography, SealedPlace } from '#data/encryption/seal.ts'
import {
  currentOf,
  nameDigest,
  saltingOf,
  type StoredKey,
  type StoredKeys,
} from '#data/encryption/stored-keys.ts'
import { rawOf } from '#data/encryption/passkey.ts'
import { freshKey, freshSalt, unwrapped, usableKey, wrapped, type Salting } from '#data/encryption/wrap.ts'

/** A login that the CRM has accepted. */
export interface Login<Who> {
  /** `genba-<hash>`. */
  user: string
  userName: string
  /** Session data, stored encrypted, for a login without the CRM. */
  who: Who
  /**
   * True if nobody was signed in before. Data on the device may then be encrypted with a key that no longer
   * exists.
   */
  isFirst: boolean
}

/** An entered password, as the keys that it gives. */
export interface Password {
  /** Derives the password's key for a salt. */
  opener(salting: Salting): Promise<CryptoKey>
  /** Salt and rounds for keys that are wrapped anew. */
  fresh: Salting
}

interface KeyMaking {
  cryptography: Cryptography
  /** The public key of the operator, who may recover a data key without the password. */
  recovery: Recovery
  newId: () => string
}

type Wrapping = Omit<KeyMaking, 'newId'>

type UsableKey = StoredKey & Required<Pick<StoredKey, 'usable' | 'opener'>>

/** Unlocks each key that the password opens. Other keys are returned unchanged. */
export const unlocked = (
  { cryptography, recovery }: Wrapping,
  keys: readonly StoredKey[],
  { opener }: Pick<Password, 'opener'>,
): Promise<StoredKey[]> =>
  Promise.all(
    keys.map(async (stored) => {
      const openedBy = await opener(saltingOf(stored))
      const raw = await unwrapped(cryptography, openedBy, stored.id, stored.wrapped)
      if (!raw) return stored
      return { ...(await recoverable({ cryptography, recovery }, stored, raw)), opener: openedBy }
    }),
  )

/** Makes a raw key usable and wraps it for the recovery keys. */
async function recoverable<Key extends Pick<StoredKey, 'id' | 'wraps'>>(
  { cryptography, recovery }: Wrapping,
  { wraps, ...key }: Key,
  raw: BufferSource,
) {
  const usable = await usableKey(cryptography, raw)
  return {
    ...key,
    ...(await withRecovery(cryptography, recovery, { id: key.id, ...(wraps && { wraps }) }, raw)),
    usable,
  }
}

/**
 * The stored keys after the CRM has accepted the password. New data is encrypted with the user's current key, or with a
 * new key if the password opens none.
 */
export async function afterLogin<Who>(
  parts: KeyMaking,
  before: StoredKeys | null,
  password: Password,
  { user, userName, who, isFirst }: Login<Who>,
): Promise<StoredKeys> {
  const { cryptography } = parts
  const known = before ? await unlocked(parts, before.keys, password) : []
  const current = await currentAfter(parts, before, known, password)
  const { salt } = freshSalt(cryptography)
  const sealer = createSealer(cryptography, ringOf({ id: current.id, key: current.usable }))
  const sealed = await sealer.sealValue(placeOfWho(user), who)
  if (!sealed) throw new Error('a key without use')
  return {
    name: { salt, digest: await nameDigest(cryptography, userName, salt) },
    who: sealed,
    current: current.id,
    keys: [...known.filter(({ id }) => id !== current.id), current],
    isToSetAside:
      before?.isToSetAside === true || (before?.current !== current.id && (isFirst || before !== null)),
  }
}

/** The place of the session data, part of its encryption. */
export const placeOfWho = (user: string): SealedPlace => [user, 'who', '']

async function currentAfter(
  parts: KeyMaking,
  before: StoredKeys | null,
  known: readonly StoredKey[],
  password: Password,
): Promise<UsableKey> {
  const { cryptography } = parts
  const { fresh } = password
  const last = before && known.find(({ id }) => id === before.current)
  const { usable, opener } = last ?? {}
  if (last && usable && opener && opener === (await password.opener(saltingOf(last))))
    return { ...last, usable, opener }
  const newOpener = await password.opener(fresh)
  // The user was signed in until now and has changed the password meanwhile: the key is wrapped again under
  // the new one.
  const raw = last ? await rawOf(cryptography, last) : null
  const key = { id: last && raw ? last.id : parts.newId(), raw: raw ?? freshKey(cryptography) }
  const rewrapped = {
    ...(raw && last),
    id: key.id,
    wrapped: await wrapped(cryptography, newOpener, fresh, key),
  }
  return { ...(await recoverable(parts, rewrapped, key.raw)), opener: newOpener }
}

/**
 * The stored keys after a login without the CRM.
 * @returns null if the password does not open the current key
 */
export async function afterOffline(
  parts: KeyMaking,
  before: StoredKeys,
  password: Password,
): Promise<StoredKeys | null> {
  const current = currentOf(before)
  const opener = await password.opener(saltingOf(current))
  if (!(await unwrapped(parts.cryptography, opener, current.id, current.wrapped))) return null
  return { ...before, keys: await unlocked(parts, before.keys, password) }
}
