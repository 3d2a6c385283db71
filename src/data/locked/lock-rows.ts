/**
 * Moves rows that no usable key decrypts out of the stores, before RxDB reads them. They stay locked (封印中) until the
 * user enters the earlier password or discards them (sync RULES SV3):
 *
 *     rows of the stores ─→ copied to the locked store, on disk ─→ deleted from the stores
 *      └ killed: done again      └ killed: both exist; the next start deletes the originals
 *
 * Only rows that the CRM may lack are copied, because all others can be fetched again. No tab may have the stores open.
 */
import { BYTES, isOwnSentences } from '#data/database/what-stays.ts'
import { movedCollections } from '#schemas/collections/collections.ts'
import { eachPiece, resultOf, withDatabase, writeDurably } from '#data/storage/idb.ts'
import { photoBytesName } from '#data/photos/photo-bytes.ts'
import type { Row } from '#data/storage/docs-table.ts'
import { lockedRowId, openLockedRows, ROWS, type LockedRow } from './locked-rows.ts'
import { isSealed, type Sealed } from '#data/encryption/seal.ts'
import { SEALED } from '#data/encryption/sealed-rows.ts'
import { DOCS } from '#data/storage/connection.ts'
import { collectionStores, type CollectionStore } from '#data/database/collection-stores.ts'

/** Number of rows that are read at once. */
const PIECE = 60

interface Locking {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  user: string
  /** True if the key is usable. */
  isOpen: (keyId: string) => boolean
}

export async function lockRows(parts: Locking): Promise<void> {
  const { indexedDB, user } = parts
  const lockedDb = await openLockedRows(indexedDB, user)
  try {
    for (const store of await collectionStores(indexedDB, user))
      await withDatabase(indexedDB, store.name, (db) => moveRows(db, store, lockedDb, parts))
    await withDatabase(indexedDB, photoBytesName(user), (db) => moveBytes(db, lockedDb, parts))
  } finally {
    lockedDb.close()
  }
}

const isLocked = (sealed: unknown, { isOpen }: Locking): sealed is Sealed =>
  isSealed(sealed) && !isOpen(sealed.key)

async function moveRows(
  db: IDBDatabase,
  { collection, version }: CollectionStore,
  lockedDb: IDBDatabase,
  parts: Locking,
): Promise<void> {
  const isPreserved = movedCollections.some((name) => name === collection)
  const pieces = { table: DOCS, ranges: parts.ranges, size: PIECE }
  await eachPiece<Row>(db, pieces, async (rows, primary) => {
    const locked = rows.filter((row) => isLocked(row[SEALED], parts))
    if (locked.length === 0) return
    const keyOf = (row: Row) => row[primary] as string
    if (isPreserved)
      await writeDurably(lockedDb, ROWS, (store) => {
        for (const row of locked.filter((each) => each['_deleted'] !== '1' && !isOwnSentences(each))) {
          const key = keyOf(row)
          const id = lockedRowId(collection, key, (row[SEALED] as Sealed).key)
          store.put({ id, collection, version, key, row } satisfies LockedRow)
        }
      })
    await writeDurably(db, DOCS, (store) => locked.forEach((row) => store.delete(keyOf(row))))
  })
}

async function moveBytes(db: IDBDatabase, lockedDb: IDBDatabase, parts: Locking): Promise<void> {
  const read = (table: string, key: string) =>
    resultOf<Row | undefined>(db.transaction(table).objectStore(table).get(key))
  const keys = (await resultOf(db.transaction(BYTES).objectStore(BYTES).getAllKeys())) as string[]
  for (const key of keys) {
    const row = await read(BYTES, key)
    if (!row || !isLocked(row['bytes'], parts)) continue
    const info = await read('info', key)
    const locked = { id: lockedRowId(BYTES, key, ''), collection: BYTES, version: 0, key, row }
    // A photo that the file store has too is not copied, because it can be fetched again.
    if (info?.['cached'] !== 1)
      await writeDurably(lockedDb, ROWS, (store) =>
        store.put({ ...locked, ...(info && { info }) } satisfies LockedRow),
      )
    await writeDurably(db, BYTES, (store) => store.delete(key))
    await writeDurably(db, 'info', (store) => store.delete(key))
  }
}
