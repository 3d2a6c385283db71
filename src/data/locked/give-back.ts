/**
 * Restores locked data (封印中) that an earlier password has opened (sync RULES SV3):
 *
 *     encrypted with the old key ─→ encrypted with the current key ─→ all that it needs is there: restored
 *      └ killed: password is asked again   └ killed: continues at the next start
 *
 * A photo may be locked under another password than its bytes. What is already encrypted with the current key
 * waits for the rest, so each password is needed once, in any order.
 */
import { photoPlace } from '#data/photos/photo-bytes.ts'
import {
  lockedRowIds,
  readLockedRows,
  isOfBytes,
  keyOf,
  replaceLocked,
  sealedIn,
  takenBack,
  type LockedRow,
} from './locked-rows.ts'
import { createSealer, ringOf, type Sealer } from '#data/encryption/key-ring.ts'
import { isSealed, type DataKey, type SealedPlace } from '#data/encryption/seal.ts'
import { placeOfRow, SEALED } from '#data/encryption/sealed-rows.ts'
import { takeBack, type TakeBack } from './take-back.ts'

type GivingBack = Omit<TakeBack, 'keys' | 'steps'> & { indexedDB: IDBFactory }

/** Creates the two steps of restoring a user's locked data. */
export function givingBack({ indexedDB, ...parts }: GivingBack) {
  const { db, cryptography, report } = parts
  const user = db.name
  const all = async () => readLockedRows(indexedDB, user, await lockedRowIds(indexedDB, user))
  return {
    /** Restores all rows that these keys open and that lack nothing. */
    async take(keys: readonly DataKey[]): Promise<void> {
      const { steps } = await import('#schemas/migrations/steps.ts')
      const noted = (id: string) => takenBack(indexedDB, user, [id])
      await takenBack(indexedDB, user, await takeBack(await all(), { ...parts, keys, steps }, noted))
    },
    /**
     * Encrypts the rows that `opened` unlock with the current key.
     * @param usable the current keys; the first one encrypts
     * @returns true if any row is damaged; damaged rows are reported and stay locked
     */
    async sealAnew(usable: readonly DataKey[], opened: readonly DataKey[]): Promise<boolean> {
      const sealer = createSealer(cryptography, ringOf(...usable, ...opened))
      const ids = new Set(opened.map(({ id }) => id))
      let isSpoiled = false
      for await (const before of await all()) {
        if (!sealedIn(before).some(({ key }) => ids.has(key))) continue
        const next = await sealedAnew(before, user, sealer).catch((error: unknown) => {
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
 * The same row, encrypted with the first key of `sealer`.
 * @throws SealError if the row is damaged
 */
async function sealedAnew(locked: LockedRow, user: string, sealer: Sealer): Promise<LockedRow> {
  const { id, collection, version, row, info } = locked
  const key = keyOf(locked)
  const [{ key: was } = { key: '' }] = sealedIn(locked)
  const again = async (stored: unknown, place: SealedPlace) =>
    isSealed(stored) ? sealer.sealBytes(place, await sealer.openBytes(place, stored)) : stored
  const sealedAgain = async <T extends object>(of: T, name: string, place: SealedPlace): Promise<T> =>
    name in of ? { ...of, [name]: await again(Reflect.get(of, name), place) } : of
  const next = { ...locked, was: locked.was ?? was }
  if (!isOfBytes(id)) {
    const place = placeOfRow({ database: user, collection, version }, row)
    return { ...next, row: await sealedAgain(row, SEALED, place) }
  }
  const bytes = await sealedAgain(row, 'bytes', photoPlace(user, 'bytes', key))
  return {
    ...next,
    row: await sealedAgain(bytes, 'thumb', photoPlace(user, 'thumb', key)),
    ...(info && { info: await sealedAgain(info, 'origin', photoPlace(user, 'origin', key)) }),
  }
}
