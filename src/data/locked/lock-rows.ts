/**
 * What is sealed with a key that no password has opened yet is taken out of the stores before they are read, and kept as it
 * is until the old password opens it, or its user discards it (封印中, sync RULES SV3).
 *
 *     rows of the stores ─→ copied aside, on disk ─→ taken out
 *     └ killed: done anew     └ killed: both, taken out by the next start
 *
 * Only what the CRM may not have is kept; all else is read again. Nobody may have the stores open meanwhile.
 */
import { movedCollections } from '#schemas/collections/collections.ts'
import { done, openThere, written } from '#data/migration/idb.ts'
import { photoBytesName } from '#data/photo-bytes/photo-bytes.ts'
import type { Row } from '#data/storage/row-codec.ts'
import { lockedRowId, BYTES, openLockedRows, ROWS, type LockedRow } from './locked-rows.ts'
import { DOCS, eachPiece, rawStores, type RawStore } from './raw-stores.ts'
import { isSealed, type Sealed } from '#data/encryption/seal.ts'
import { SEALED } from '#data/encryption/sealed-rows.ts'

interface SetAside {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  /** Name of the user's database. */
  user: string
  /** Whether there is a key of this id that can be used. */
  isOpen: (keyId: string) => boolean
}

export async function lockRows(parts: SetAside): Promise<void> {
  const { indexedDB, user } = parts
  const aside = await openLockedRows(indexedDB, user)
  try {
    for (const store of await rawStores(indexedDB, user))
      await within(indexedDB, store.name, (db) => takeRows(db, store, aside, parts))
    await within(indexedDB, photoBytesName(user), (db) => takeBytes(db, aside, parts))
  } finally {
    aside.close()
  }
}

async function within(indexedDB: IDBFactory, name: string, run: (db: IDBDatabase) => Promise<void>) {
  const db = await openThere(indexedDB, name)
  if (!db) return
  try {
    await run(db)
  } finally {
    db.close()
  }
}

const isLocked = (sealed: unknown, { isOpen }: SetAside): sealed is Sealed =>
  isSealed(sealed) && !isOpen(sealed.key)

async function takeRows(
  db: IDBDatabase,
  { collection, version }: RawStore,
  aside: IDBDatabase,
  parts: SetAside,
): Promise<void> {
  const isKept = movedCollections.some((name) => name === collection)
  await eachPiece(db, DOCS, parts.ranges, async (rows) => {
    const locked = rows.filter((row) => isLocked(row[SEALED], parts))
    const byOf = ({ [SEALED]: sealed }: Row) => (isSealed(sealed) ? sealed.key : '')
    if (locked.length === 0) return true
    const primary = String(db.transaction(DOCS).objectStore(DOCS).keyPath)
    const keyOf = (row: Row) => row[primary] as string
    if (isKept)
      await written(aside, ROWS, (store) => {
        for (const row of locked.filter(({ _deleted }) => _deleted !== '1'))
          store.put({
            id: lockedRowId(collection, keyOf(row), byOf(row)),
            collection,
            version,
            row,
          } satisfies LockedRow)
      })
    await written(db, DOCS, (store) => locked.forEach((row) => store.delete(keyOf(row))))
    return true
  })
}

async function takeBytes(db: IDBDatabase, aside: IDBDatabase, parts: SetAside): Promise<void> {
  for (const key of await done(db.transaction(BYTES).objectStore(BYTES).getAllKeys())) {
    const row = (await done(db.transaction(BYTES).objectStore(BYTES).get(key))) as Row
    if (!isLocked(row['bytes'], parts)) continue
    const info = (await done(db.transaction('info').objectStore('info').get(key))) as Row | undefined
    // what the file store has comes again
    if (info?.['cached'] !== 1)
      await written(aside, ROWS, (store) => {
        const found: LockedRow = {
          id: lockedRowId(BYTES, String(row['key']), ''),
          collection: BYTES,
          version: 0,
          row,
        }
        store.put(info ? { ...found, info } : found)
      })
    await written(db, BYTES, (store) => store.delete(key))
    await written(db, 'info', (store) => store.delete(key))
  }
}
