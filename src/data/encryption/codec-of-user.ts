/**
 * The row codec of a user, for code that reads the stores without the app, such as the service worker
 * (decisions/updates).
 */
import type { CodecFor } from '#data/storage/row-codec.ts'
import { createSealer, ringOf } from './key-ring.ts'
import type { Cryptography } from './seal.ts'
import { sealedRows, type Refused } from './sealed-rows.ts'
import { currentOf, type KeyStore } from './stored-keys.ts'

/** Returns the codec of a user; null if the user's key is locked or has no record. */
export const codecOfUser =
  (cryptography: Cryptography, store: Pick<KeyStore, 'get'>, refused: Refused) =>
  async (user: string): Promise<CodecFor | null> => {
    const record = await store.get(user)
    if (!record) return null
    const { id, usable } = currentOf(record)
    const others = record.keys.flatMap((key) =>
      key.usable && key.id !== id ? [{ id: key.id, key: key.usable }] : [],
    )
    if (!usable) return null
    return sealedRows(createSealer(cryptography, ringOf({ id, key: usable }, ...others)), refused)
  }
