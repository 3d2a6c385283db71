/**
 * What a password of before has opened of what lies aside, on its way back (封印中, sync RULES SV3).
 *
 *     sealed with the key of then ─→ sealed with that of now, where it lies ─→ all that it needs is there: in its place
 *       └ killed: asked for again       └ killed: goes on at the next start
 *
 * A photo may lie there under another password than its bytes: what is sealed anew waits for them. So each password is asked
 * for once, in any order.
 */
import { photoPlace } from '#data/photo-bytes/photo-bytes.ts'
import {
  lockedRowIds,
  asideRows,
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

type Parts = Omit<TakeBack, 'keys' | 'steps'> & { indexedDB: IDBFactory }

export function givingBack({ indexedDB, ...parts }: Parts) {
  const { db, cryptography, report } = parts
  const user = db.name
  const all = async () => asideRows(indexedDB, user, await lockedRowIds(indexedDB, user))
  return {
    /** All that these keys open, and that lacks nothing, is where it belongs. */
    async take(keys: readonly DataKey[]): Promise<void> {
      const { steps } = await import('#schemas/migrations/steps.ts')
      const noted = (id: string) => takenBack(indexedDB, user, [id])
      await takenBack(indexedDB, user, await takeBack(await all(), { ...parts, keys, steps }, noted))
    },
    /** @param usable the first is sealed with @returns whether some of it is spoiled, which is reported and stays */
    async sealAnew(usable: readonly DataKey[], opened: readonly DataKey[]): Promise<boolean> {
      const sealer = createSealer(cryptography, ringOf(...usable, ...opened))
      const ids = new Set(opened.map(({ id }) => id))
      let isSpoiled = false
      for await (const before of await all()) {
        if (!sealedIn(before).some(({ key }) => ids.has(key))) continue
        const next = await sealedAnew(before, user, sealer).catch((error: unknown) => {
          isSpoiled = true
          report(`sealed ${before.id} stays aside: ${String(error)}`)
        })
        if (next) await replaceLocked(indexedDB, user, { before, next })
      }
      return isSpoiled
    },
  }
}

/** @throws SealError where it is spoiled */
async function sealedAnew(aside: LockedRow, user: string, sealer: Sealer): Promise<LockedRow> {
  const { id, collection, version, row, info } = aside
  const key = keyOf(aside)
  const [{ key: was } = { key: '' }] = sealedIn(aside)
  const again = async (stored: unknown, place: SealedPlace) =>
    isSealed(stored) ? sealer.sealBytes(place, await sealer.openBytes(place, stored)) : stored
  const anew = async <T extends object>(of: T, name: string, place: SealedPlace): Promise<T> =>
    name in of ? { ...of, [name]: await again(Reflect.get(of, name), place) } : of
  const next = { ...aside, was: aside.was ?? was }
  if (!isOfBytes(id)) {
    const place = placeOfRow({ database: user, collection, version }, row)
    return { ...next, row: await anew(row, SEALED, place) }
  }
  const bytes = await anew(row, 'bytes', photoPlace(user, 'bytes', key))
  return {
    ...next,
    row: await anew(bytes, 'thumb', photoPlace(user, 'thumb', key)),
    ...(info && { info: await anew(info, 'origin', photoPlace(user, 'origin', key)) }),
  }
}
