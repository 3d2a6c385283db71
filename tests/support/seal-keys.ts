/** Keys for tests. */
import { createSealer, ringOf, type Sealer } from '#data/encryption/key-ring.ts'
import { sealedRows } from '#data/encryption/sealed-rows.ts'
import type { DataKey } from '#data/encryption/seal.ts'
import type { StorageOptions } from '#data/storage/create-storage.ts'
import { freshKey, usableKey } from '#data/encryption/wrap.ts'

export async function dataKey(id: string): Promise<DataKey> {
  return { id, key: await usableKey(freshKey()) }
}

export const sealerOf = (...keys: readonly DataKey[]): Sealer => createSealer(ringOf(...keys))

/** What a phone's storage is made with. */
export type SealedOptions = StorageOptions & { sealer?: Sealer }

export const sealedBy = (sealer: Sealer): SealedOptions => ({ sealer, codecFor: sealedRows(sealer) })
