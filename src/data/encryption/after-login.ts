/** What is kept of a user's keys after a password was given. In: what was kept, the password. Out: what is to be kept. */
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

export interface Login<Who> {
  /** Name of the user's database. */
  user: string
  userName: string
  /** Kept sealed, for a login without the CRM. */
  who: Who
  /** Nobody was signed in: what lies on the device may be of a key that is not there any more. */
  isFirst: boolean
}

export interface Password {
  /** The key that it makes with a salt. */
  opener(salting: Salting): Promise<CryptoKey>
  /** For what is wrapped anew. */
  fresh: Salting
}

interface Wrapping {
  cryptography: Cryptography
  /** Whom each key is wrapped for, beside the password. */
  recovery: Recovery
}

interface Parts extends Wrapping {
  newId: () => string
}

type UsableKey = StoredKey & Required<Pick<StoredKey, 'usable' | 'opener'>>

/** Of those that the password opens: for use. The others are as they were. */
export const opened = (
  { cryptography, recovery }: Wrapping,
  keys: readonly StoredKey[],
  { opener }: Pick<Password, 'opener'>,
): Promise<StoredKey[]> =>
  Promise.all(
    keys.map(async (kept) => {
      const by = await opener(saltingOf(kept))
      const raw = await unwrapped(cryptography, by, kept.id, kept.wrapped)
      if (!raw) return kept
      return { ...(await recoverable({ cryptography, recovery }, kept, raw)), opener: by }
    }),
  )

/** For use, and for whoever may recover it. */
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

/** The CRM has said that it is the user's password. */
export async function afterLogin<Who>(
  parts: Parts,
  before: StoredKeys | null,
  password: Password,
  { user, userName, who, isFirst }: Login<Who>,
): Promise<StoredKeys> {
  const { cryptography } = parts
  const known = before ? await opened(parts, before.keys, password) : []
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

export const placeOfWho = (user: string): SealedPlace => [user, 'who', '']

async function currentAfter(
  parts: Parts,
  before: StoredKeys | null,
  known: readonly StoredKey[],
  password: Password,
): Promise<UsableKey> {
  const { cryptography } = parts
  const { fresh } = password
  const isOpenedBy = async ({ wrapped: { salt, rounds } }: StoredKey, opener: CryptoKey) =>
    opener === (await password.opener({ salt, rounds }))
  const last = before && known.find(({ id }) => id === before.current)
  const { usable, opener } = last ?? {}
  if (last && usable && opener && (await isOpenedBy(last, opener))) return { ...last, usable, opener }
  const by = await password.opener(fresh)
  // signed in until now, under a password that was changed meanwhile
  const raw = last ? await rawOf(cryptography, last) : null
  const key = { id: last && raw ? last.id : parts.newId(), raw: raw ?? freshKey(cryptography) }
  const under = {
    ...(raw && last),
    id: key.id,
    wrapped: await wrapped(cryptography, by, fresh, key),
  }
  return { ...(await recoverable(parts, under, key.raw)), opener: by }
}

/** @returns null where the password does not open the key that is sealed with */
export async function afterOffline(
  parts: Parts,
  before: StoredKeys,
  password: Password,
): Promise<StoredKeys | null> {
  const current = currentOf(before)
  const opener = await password.opener(saltingOf(current))
  if (!(await unwrapped(parts.cryptography, opener, current.id, current.wrapped))) return null
  return { ...before, keys: await opened(parts, before.keys, password) }
}
