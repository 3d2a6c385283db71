/** How a user's rows lie on the disk, for whoever reads them without the app (decision 0061). */
import type { CodecFor } from '../storage/row-codec.ts'
import { createSealer, ringOf, withoutCurrent } from './key-ring.ts'
import type { Cryptography } from './seal.ts'
import { sealedRows } from './sealed-rows.ts'
import { currentOf, type KeyStore } from './stored-keys.ts'

/**
 * @param isBegun whether the user's stores are marked as sealed: before that they are written as they were
 * @returns null where they are sealed, and the key cannot be used
 */
export const codecOfUser =
  (cryptography: Cryptography, store: Pick<KeyStore, 'get'>, isBegun: (user: string) => Promise<boolean>) =>
  async (user: string): Promise<CodecFor | null> => {
    const record = await store.get(user)
    if (!record) return sealedRows(createSealer(cryptography, ringOf()))
    const { id, usable } = currentOf(record)
    const others = record.keys.flatMap((key) =>
      key.usable && key.id !== id ? [{ id: key.id, key: key.usable }] : [],
    )
    if (!usable) return null
    const ring = ringOf({ id, key: usable }, ...others)
    return sealedRows(createSealer(cryptography, (await isBegun(user)) ? ring : withoutCurrent(ring)))
  }
