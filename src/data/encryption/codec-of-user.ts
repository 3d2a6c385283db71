/** How a user's rows lie on the disk, for whoever reads them without the app (decisions/updates). */
import type { CodecFor } from '#data/storage/row-codec.ts'
import { createSealer, ringOf } from './key-ring.ts'
import type { Cryptography } from './seal.ts'
import { sealedRows, type Refused } from './sealed-rows.ts'
import { currentOf, type KeyStore } from './stored-keys.ts'

/** @returns null where the key cannot be used: locked, or its record is missing */
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
