/** Data that is encrypted with an earlier password of the user (封印中), for the screens. */
import {
  lockedRowIds,
  readLockedRows,
  discardLocked,
  isCounted,
  isOfBytes,
  sealedIn,
  replaceLocked,
  deleteLocked,
  type LockedRow,
} from './locked-rows.ts'
import { recoveryWrapOf } from '#data/encryption/recovery.ts'
import { type DataKey, isSealed, type SealedPlace } from '#data/encryption/seal.ts'
import { usableKeys, withoutKeys, type StoredKey } from '#data/encryption/stored-keys.ts'
import { type Restoring, restoreRows } from './restore-rows.ts'
import { createValueStore } from '#lib/value-store.ts'
import type { LockedData } from '#data/context/app-context.tsx'
import type { KeyRecords, UserKeys } from '#data/encryption/user-keys.ts'
import { photoPlace } from '#data/photos/photo-bytes.ts'
import { BYTES } from '#data/database/what-stays.ts'
import { createSealer, ringOf, type Sealer } from '#data/encryption/key-ring.ts'
import { placeOfRow, SEALED } from '#data/encryption/sealed-rows.ts'

interface LockedDataParts extends Omit<Restoring, 'keys' | 'steps'> {
  indexedDB: IDBFactory
  tabs?: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  keys: KeyRecords & Pick<UserKeys<unknown>, 'openedBy'>
  about: () => { made: string; app: string }
}

/** Opens a user's locked data. Rows that the present keys decrypt are restored at once. */
export async function openLockedData(options: LockedDataParts): Promise<LockedData> {
  const { indexedDB, keys, tabs, about, report, ...parts } = options
  const user = parts.db.name
  const { wrappedKeys, lockedKeyIds, openKeys } = keysOf(keys, user)
  const counts = countsOf(indexedDB, user, wrappedKeys)
  const { refresh } = counts
  tabs?.addEventListener('message', () => void refresh().catch(report))
  // Callers read `keyIds` before they delete rows, so that a key that another tab locks afterwards stays.
  const discardAll = async (keyIds: ReadonlySet<string>) => {
    await discardLocked(indexedDB, user)
    await keys.change(user, (record) => withoutKeys(record, keyIds))
    await refresh()
  }
  let isOccupied = false
  const restorer = createRestorer({ indexedDB, report, ...parts, occupied: () => (isOccupied = true) })
  const restore = async (dataKeys: readonly DataKey[]) => {
    const keyIds = await lockedKeyIds()
    await restorer.restore(dataKeys)
    if ((await refresh()).length === 0) await discardAll(keyIds)
    tabs?.postMessage('changed')
  }
  // Rows can be decryptable now, because the user has changed the password back or because a restore was interrupted.
  if ((await refresh()).length > 0) await openKeys().then(restore).catch(report)
  return {
    get: counts.get,
    recoverable: counts.recoverable,
    subscribe: counts.subscribe,
    async bundle() {
      const { bundleOf } = await import('./bundle.ts')
      return bundleOf(readLockedRows(indexedDB, user), { user, keys: await wrappedKeys(), ...about() })
    },
    // `limitUnlocking` (app/session/lock/tries) adds the waits.
    wait: () => 0,
    async open(password) {
      const opened = await keys.openedBy(user, password)
      const before = counts.get()
      if (opened.length === 0) {
        // Another tab may have restored all data and deleted the keys meanwhile.
        await refresh()
        return before > 0 && counts.get() === 0 ? 'all' : 'wrong'
      }
      const isSpoiled = await restorer.encryptAnew(await openKeys(), opened)
      isOccupied = false
      await restore([...(await openKeys()), ...opened])
      if (counts.get() === 0) return 'all'
      if (counts.get() < before) return 'some'
      if (isSpoiled) return 'spoiled'
      return isOccupied ? 'typed' : 'waits'
    },
    async discard() {
      await discardAll(await lockedKeyIds())
      tabs?.postMessage('changed')
    },
  }
}

function keysOf(keys: KeyRecords, user: string) {
  const allKeys = async (): Promise<readonly StoredKey[]> => (await keys.record(user))?.keys ?? []
  return {
    wrappedKeys: async () => (await allKeys()).filter((key) => recoveryWrapOf(key)),
    lockedKeyIds: async () => new Set((await allKeys()).flatMap(({ id, usable }) => (usable ? [] : [id]))),
    async openKeys(): Promise<DataKey[]> {
      const record = await keys.record(user)
      return record ? usableKeys(record) : []
    },
  }
}

/**
 * Counts the locked changes, photos and drafts.
 * @param wrappedKeys returns the data keys that are also encrypted for the operator
 */
function countsOf(indexedDB: IDBFactory, user: string, wrappedKeys: () => Promise<readonly StoredKey[]>) {
  const counts = createValueStore<[all: number, recoverable: number]>([0, 0])
  const refreshNow = async () => {
    const ids = await lockedRowIds(indexedDB, user)
    let [all, recoverable] = [0, 0]
    if (ids.length === 0) {
      counts.set([all, recoverable])
      return ids
    }
    const keyIds = new Set((await wrappedKeys()).map(({ id }) => id))
    const records = ids.filter((id) => !isOfBytes(id))
    for await (const row of readLockedRows(indexedDB, user, records)) {
      if (!isCounted(row)) continue
      all += 1
      if (sealedIn(row).some(({ key }) => keyIds.has(key))) recoverable += 1
    }
    counts.set([all, recoverable])
    return ids
  }
  let refreshing: Promise<unknown> = Promise.resolve()
  return {
    get: () => counts.get()[0],
    recoverable: () => counts.get()[1],
    subscribe: counts.subscribe,
    /**
     * Counts again, one count at a time, so that no old result overwrites a new one. @returns the ids of all locked
     * rows
     */
    refresh(): Promise<string[]> {
      const next = refreshing.then(refreshNow, refreshNow)
      refreshing = next
      return next
    },
  }
}

type LockedRestoring = Omit<Restoring, 'keys' | 'steps'> & { indexedDB: IDBFactory }

/**
 * Restores rows that were encrypted under an earlier password (封印中), once the user has entered it (sync RULES SV3):
 *
 *     encrypted with the old key ─→ encrypted with the current key ─→ nothing is missing: restored
 *      └ killed: password is asked again   └ killed: continues at the next start
 *
 * A photo and its bytes may be locked under different passwords. Rows already encrypted with the current key wait for
 * the others, so that each password is needed only once, in any order.
 */
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
     * Encrypts rows of the keys in `opened` with the first key in `usable`.
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

/** @throws SealError if the row is damaged */
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
