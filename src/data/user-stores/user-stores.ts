/**
 * Deletes the data of a user who is not signed in, except data that the CRM lacks. Works without RxDB, which opens the
 * collections of only one user per page. A database is deleted as a whole if possible, because single deleted rows stay
 * readable in the browser's files for a while.
 *
 *     read all rows that may be unsent ─→ `what-stays.ts` decides ─→ delete databases ─→ delete rows
 *
 * If anything cannot be read, nothing is deleted (sync RULES SV3). No tab may have the stores open meanwhile.
 */
import { Dexie } from 'dexie'
import { committed, resultOf, withDatabase } from '#data/storage/idb.ts'
import { databaseNames, storesIn, type Store } from '#data/database/collection-stores.ts'
import { answerCacheName } from '#data/http-cache/answer-cache.ts'
import { photoBytesName } from '#data/photos/photo-bytes.ts'
import { layoutName, storesNamed, usersNamed } from '#data/database/database-name.ts'
import { BYTES, decidesWhatStays, whatStays, type Row, type Until } from '#data/database/what-stays.ts'

const LAYOUT = 'layout'

/** Returns `genba-<hash>` of each user who has data on the device. */
export async function usersOnDevice(indexedDB: IDBFactory): Promise<string[]> {
  return usersNamed(await databaseNames(indexedDB))
}

/** Returns the names (`storesName`) of all stores of a user, also of locked data. */
export async function storesOnDevice(indexedDB: IDBFactory, user: string): Promise<string[]> {
  return storesNamed(await databaseNames(indexedDB), user)
}

/** For locked data: all its drafts stay, because only the user discards them (sync RULES SV8). */
export const ALL_DRAFTS: Until = { drafts: 0, bytes: Infinity }

/**
 * Deletes what is in a user's stores, except unsent work and recent drafts.
 * @param name name of the stores (`storesName`)
 * @returns true if any data remains
 */
export async function leaveUnsentOnly(indexedDB: IDBFactory, name: string, until: Until): Promise<boolean> {
  const stores = await storesOf(indexedDB, name)
  const { staying, isAny } = await stayingOf(indexedDB, stores, until)
  const keysIn = ({ collection }: Store) => staying.get(collection) ?? new Set<string>()
  const isLayout = ({ collection }: Store) => collection === LAYOUT
  const isPreserved = (store: Store) => isAny && (isLayout(store) || keysIn(store).size > 0)
  for (const store of stores) if (!isPreserved(store)) await new Dexie(store.name, { indexedDB }).delete()
  for (const store of stores.filter((each) => isPreserved(each) && !isLayout(each)))
    await withDatabase(indexedDB, store.name, (db) => deleteOthers(db, keysIn(store)))
  return isAny
}

/** Deletes a user's stores with all that is in them. */
export async function deleteStores(indexedDB: IDBFactory, name: string): Promise<void> {
  for (const store of await storesOf(indexedDB, name)) await new Dexie(store.name, { indexedDB }).delete()
}

/** True if `leaveUnsentOnly` would leave any row. */
export async function hasUnsent(indexedDB: IDBFactory, name: string, until: Until): Promise<boolean> {
  return (await stayingOf(indexedDB, await storesOf(indexedDB, name), until)).isAny
}

async function stayingOf(indexedDB: IDBFactory, stores: readonly Store[], until: Until) {
  const stored = new Map<string, Row[]>()
  // After an interrupted migration, several versions of a collection exist, and all are read.
  for (const { name, collection } of stores.filter((each) => decidesWhatStays(each.collection))) {
    const rows = (await withDatabase(indexedDB, name, rowsIn)) ?? []
    stored.set(collection, [...(stored.get(collection) ?? []), ...rows])
  }
  const staying = whatStays(stored, until)
  return { staying, isAny: [...staying.values()].some((keys) => keys.size > 0) }
}

async function storesOf(indexedDB: IDBFactory, stores: string): Promise<Store[]> {
  const names = await databaseNames(indexedDB)
  const others = [
    { name: photoBytesName(stores), collection: BYTES },
    { name: answerCacheName(stores), collection: 'answers' },
    { name: layoutName(stores), collection: LAYOUT },
  ]
  return [...storesIn(names, stores), ...others.filter(({ name }) => names.includes(name))]
}

/** Returns all rows of a store: of RxDB's table `docs`, or the metadata of photo bytes in the table `info`. */
async function rowsIn(db: IDBDatabase): Promise<Row[]> {
  const table = ['docs', 'info'].find((name) => db.objectStoreNames.contains(name))
  return table ? resultOf(db.transaction(table).objectStore(table).getAll()) : []
}

/** Deletes all rows except those with these keys from every table. Resolves once this is on disk. */
async function deleteOthers(db: IDBDatabase, keys: ReadonlySet<string>): Promise<void> {
  const tables = [...db.objectStoreNames]
  const transaction = db.transaction(tables, 'readwrite', { durability: 'strict' })
  for (const table of tables) {
    const reading = transaction.objectStore(table).openCursor()
    reading.addEventListener('success', () => {
      const cursor = reading.result
      if (!cursor) return
      const { primaryKey } = cursor
      if (typeof primaryKey !== 'string' || !keys.has(primaryKey)) cursor.delete()
      cursor.continue()
    })
  }
  await committed(transaction)
}
