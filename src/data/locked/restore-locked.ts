/**
 * Restores rows that were encrypted under an earlier password (封印中), once the user has entered it (sync RULES SV3):
 *
 *     encrypted with the old key ─→ encrypted with the current key ─→ nothing is missing: restored
 *      └ killed: password is asked again   └ killed: continues at the next start
 *
 * A photo and its bytes may be locked under different passwords. Rows already encrypted with the current key wait for
 * the others, so that each password is needed only once, in any order.
 */
import { photoPlace } from '#data/photos/photo-bytes.ts'
import { BYTES } from '#data/database/what-stays.ts'
import { readLockedRows, replaceLocked, sealedIn, deleteLocked, type LockedRow } from './locked-rows.ts'
import { createSealer, ringOf, type Sealer } from '#data/encryption/key-ring.ts'
import { isSealed, type DataKey, type SealedPlace } from '#data/encryption/seal.ts'
import { placeOfRow, SEALED } from '#data/encryption/sealed-rows.ts'
import { restoreRows, type Restoring } from './restore-rows.ts'

type LockedRestoring = Omit<Restoring, 'keys' | 'steps'> & { indexedDB: IDBFactory }

export function createRestorer({ indexedDB, ...parts }: LockedRestoring) {
  const { db, cryptography, report } = parts
  const user = db.name
  return {
    /** Restores the rows that these keys decrypt, except rows that need another row which is still locked. */
    async restore(keys: readonly DataKey[]): Promise<void> {
      const { steps } = await import('#schemas/migrations/steps.ts')
      const noted = (id: string) => deleteLocked(indexedDB, user, [id])
      const rows = readLockedRows(indexedDB, user)
      await deleteLocked(indexedDB, user, await restoreRows(rows, { ...parts, keys, steps }, noted))
    },
    /**
     * Decrypts rows with the keys in `opened`, and encrypts them with the current key.
     * @param usable the usable keys; the first key encrypts
     * @returns true if any row is damaged; damaged rows are reported and stay locked
     */
    async encryptAnew(usable: readonly DataKey[], opened: readonly DataKey[]): Promise<boolean> {
      const sealer = createSealer(cryptography, ringOf(...usable, ...opened))
      const ids = new Set(opened.map(({ id }) => id))
      let isSpoiled = false
      for await (const before of readLockedRows(indexedDB, user)) {
        if (!sealedIn(before).some(({ key }) => ids.has(key))) continue
        const next = await encryptedAnew(before, user, sealer).catch((error: unknown) => {
          isSpoiled = true
          report(`sealed ${before.id} stays locked: ${String(error)}`)
        })
        if (next) await replaceLocked(indexedDB, user, { before, next })
      }
      return isSpoiled
    },
  }
}

/**
 * Returns the row encrypted with the first key of `sealer`.
 * @throws SealError if the row is damaged
 */
async function encryptedAnew(locked: LockedRow, user: string, sealer: Sealer): Promise<LockedRow> {
  const { collection, version, key, row, info } = locked
  const withAnew = async <T extends object>(fields: T, name: string, place: SealedPlace): Promise<T> => {
    const sealed: unknown = Reflect.get(fields, name)
    if (!isSealed(sealed)) return fields
    return { ...fields, [name]: await sealer.sealBytes(place, await sealer.openBytes(place, sealed)) }
  }
  if (collection !== BYTES) {
    const place = placeOfRow({ database: user, collection, version }, row)
    return { ...locked, row: await withAnew(row, SEALED, place) }
  }
  const bytes = await withAnew(row, 'bytes', photoPlace(user, 'bytes', key))
  return {
    ...locked,
    row: await withAnew(bytes, 'thumb', photoPlace(user, 'thumb', key)),
    ...(info && { info: await withAnew(info, 'origin', photoPlace(user, 'origin', key)) }),
  }
}
