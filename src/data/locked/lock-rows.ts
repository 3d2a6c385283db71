/**
 * Moves rows that no known key opens out of the stores before RxDB reads them. They stay locked (封印中) until
 * the earlier password opens them or the user discards them (sync RULES SV3):
 *
 *     rows of the stores ─→ copied to the locked store, on disk ─→ deleted from the stores
 *      └ killed: done again      └ killed: both exist; the next start deletes the originals
 *
 * Only rows that the CRM may lack are copied; others are fetched again. No tab may have the stores open
 * meanwhile.
 */
import { isOwnSentences } from '#data/database/what-stays.ts'
import { movedCollections } from '#schemas/collections/collections.ts'
import { done, eachPiece, withDatabase, written } from '#data/migration/idb.ts'
import { photoBytesName } from '#data/photos/photo-bytes.ts'
import type { Row } from '#data/storage/row-codec.ts'
import { lockedRowId, BYTES, openLockedRows, ROWS, type LockedRow } from './locked-rows.ts'
import { isSealed, type Sealed } from '#data/encryption/seal.ts'
import { SEALED } from '#data/encryption/sealed-rows.ts'
import { INTERNAL_DOCS, RXDB_INTERNAL } from '#data/migration/stored-layout.ts'

const PIECE = 60

interface Locking {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  user: string
  /** True if a usable key with this id exists. */
  isOpen: (keyId: string) => boolean
}

/** Locks all rows, and photo bytes, that are encrypted with a key that is not usable. */
export async function lockRows(parts: Locking): Promise<void> {
  const { indexedDB, user } = parts
  const lockedDb = await openLockedRows(indexedDB, user)
  try {
    for (const store of await rawStores(indexedDB, user))
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
  { collection, version }: RawStore,
  lockedDb: IDBDatabase,
  parts: Locking,
): Promise<void> {
  const isPreserved = movedCollections.some((name) => name === collection)
  await eachPiece<Row>(
    db,
    { table: INTERNAL_DOCS, ranges: parts.ranges, size: PIECE },
    async (rows, primary) => {
      const locked = rows.filter((row) => isLocked(row[SEALED], parts))
      const byOf = ({ [SEALED]: sealed }: Row) => (isSealed(sealed) ? sealed.key : '')
      if (locked.length === 0) return
      const keyOf = (row: Row) => row[primary] as string
      if (isPreserved)
        await written(lockedDb, ROWS, (store) => {
          for (const row of locked.filter((each) => each['_deleted'] !== '1' && !isOwnSentences(each)))
            store.put({
              id: lockedRowId(collection, keyOf(row), byOf(row)),
              collection,
              version,
              row,
            } satisfies LockedRow)
        })
      await written(db, INTERNAL_DOCS, (store) => locked.forEach((row) => store.delete(keyOf(row))))
    },
  )
}

async function moveBytes(db: IDBDatabase, lockedDb: IDBDatabase, parts: Locking): Promise<void> {
  for (const key of await done(db.transaction(BYTES).objectStore(BYTES).getAllKeys())) {
    const row = (await done(db.transaction(BYTES).objectStore(BYTES).get(key))) as Row
    if (!isLocked(row['bytes'], parts)) continue
    const info = (await done(db.transaction('info').objectStore('info').get(key))) as Row | undefined
    // Photos that the file store has are fetched again.
    if (info?.['cached'] !== 1)
      await written(lockedDb, ROWS, (store) => {
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

/** One collection's IndexedDB database. */
export interface RawStore {
  name: string
  collection: string
  version: number
}

/**
 * All collection databases of a user, without RxDB's internal one.
 * @param user `genba-<hash>`
 */
export async function rawStores(indexedDB: IDBFactory, user: string): Promise<RawStore[]> {
  // Firefox before 126 cannot list databases.
  const names = 'databases' in indexedDB ? await indexedDB.databases() : []
  const start = `rxdb-dexie-${user}--`
  return names.flatMap(({ name = '' }) => {
    const [version, collection] = name.startsWith(start) ? name.slice(start.length).split('--') : []
    const isOurs = collection !== undefined && collection !== RXDB_INTERNAL
    return isOurs ? [{ name, collection, version: Number(version) }] : []
  })
}
