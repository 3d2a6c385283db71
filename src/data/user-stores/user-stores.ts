/**
 * Reduces the stores of a user who is not signed in to what the CRM lacks. Works without RxDB, which opens
 * the collections of only one user per page. A database with nothing to preserve is deleted whole, because
 * deleted rows stay readable in the browser's files for a while.
 *
 *     read all rows that may be unsent ─→ `what-stays.ts` decides ─→ delete databases ─→ delete rows
 *
 * If anything cannot be read, nothing is deleted (sync RULES SV3). No tab may have the stores open meanwhile.
 */
import { Dexie } from 'dexie'
import { done, withDatabase } from '#data/migration/idb.ts'
import { RXDB_INTERNAL } from '#data/migration/stored-layout.ts'
import { answerCacheName } from '#data/http-cache/answer-cache.ts'
import { photoBytesName } from '#data/photos/photo-bytes.ts'
import { lockedRowIds, discardLocked } from '#data/locked/locked-rows.ts'
import { usersNamed } from '#data/database/database-name.ts'
import {
  BYTES,
  decidesWhatStays,
  whatStays,
  type Row,
  type Stored,
  type Until,
} from '#data/database/what-stays.ts'

interface Store {
  database: string
  /** Collection name, `bytes` for photo bytes, or `answers` for the HTTP cache. */
  name: string
}

/** Returns `genba-<hash>` of every user with data on the device. */
export async function usersOnDevice(indexedDB: IDBFactory): Promise<string[]> {
  return usersNamed(await databaseNames(indexedDB))
}

/**
 * Deletes everything of a user except unsent work and recent drafts.
 * @param user `genba-<hash>`
 * @returns true if any data of the user remains
 */
export async function leaveUnsentOnly(indexedDB: IDBFactory, user: string, until: Until): Promise<boolean> {
  const stores = await storesOf(indexedDB, user)
  const { staying, isAny } = await stayingOf(indexedDB, stores, until)
  const keysIn = ({ name }: Store) => staying.get(name) ?? new Set<string>()
  const isPreserved = (store: Store) => isAny && (store.name === RXDB_INTERNAL || keysIn(store).size > 0)
  for (const store of stores) if (!isPreserved(store)) await new Dexie(store.database, { indexedDB }).delete()
  for (const store of stores.filter(isPreserved))
    if (store.name !== RXDB_INTERNAL)
      await withDatabase(indexedDB, store.database, (db) => deleteOthers(db, keysIn(store)))
  if (await hasLockedData(indexedDB, user)) return true
  // An empty database would reveal by its name that this user was here.
  await discardLocked(indexedDB, user)
  return isAny
}

/**
 * True if `leaveUnsentOnly` would preserve anything. Changes nothing.
 * @param user `genba-<hash>`
 */
export async function hasUnsent(indexedDB: IDBFactory, user: string, until: Until): Promise<boolean> {
  const { isAny } = await stayingOf(indexedDB, await storesOf(indexedDB, user), until)
  return isAny || hasLockedData(indexedDB, user)
}

/**
 * True if the user has data encrypted under an earlier password. Only the user discards it
 * (decisions/encryption).
 */
const hasLockedData = async (indexedDB: IDBFactory, user: string) =>
  (await lockedRowIds(indexedDB, user)).length > 0

async function stayingOf(indexedDB: IDBFactory, stores: readonly Store[], until: Until) {
  const stored = await read(
    indexedDB,
    stores.filter(({ name }) => decidesWhatStays(name)),
  )
  const staying = whatStays(stored, until)
  return { staying, isAny: [...staying.values()].some((keys) => keys.size > 0) }
}

async function storesOf(indexedDB: IDBFactory, user: string): Promise<Store[]> {
  const [documents, bytes, answers] = [`rxdb-dexie-${user}--`, photoBytesName(user), answerCacheName(user)]
  return (await databaseNames(indexedDB)).flatMap((database) => {
    if (database === bytes) return { database, name: BYTES }
    if (database === answers) return { database, name: 'answers' }
    const [, name] = database.startsWith(documents) ? database.slice(documents.length).split('--') : []
    return name === undefined ? [] : { database, name }
  })
}

/** Database names on the device. Firefox before 126 cannot list them; Dexie maintains its own list there. */
async function databaseNames(indexedDB: IDBFactory): Promise<string[]> {
  if (!('databases' in indexedDB)) return Dexie.getDatabaseNames()
  return (await (indexedDB as IDBFactory).databases()).flatMap(({ name }) => name ?? [])
}

/**
 * Reads all rows by store name. An interrupted migration leaves several versions of a collection; all are
 * read.
 */
async function read(indexedDB: IDBFactory, stores: readonly Store[]): Promise<Stored> {
  const stored = new Map<string, Row[]>()
  for (const store of stores) {
    const rows = await withDatabase(indexedDB, store.database, rowsIn)
    stored.set(store.name, [...(stored.get(store.name) ?? []), ...(rows ?? [])])
  }
  return stored
}

/** The table to read rows from: RxDB's `docs`, or `info` for photo bytes. */
const tableOf = (db: IDBDatabase) => ['docs', 'info'].find((name) => db.objectStoreNames.contains(name))

function rowsIn(db: IDBDatabase): Promise<Row[]> {
  const table = tableOf(db)
  return table ? done(db.transaction(table).objectStore(table).getAll()) : Promise.resolve([])
}

/** Deletes all rows with other keys from every table. Resolves when the result is on disk. */
function deleteOthers(db: IDBDatabase, keys: ReadonlySet<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const tables = [...db.objectStoreNames]
    const transaction = db.transaction(tables, 'readwrite', { durability: 'strict' })
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new DOMException('', 'AbortError')),
    )
    for (const table of tables) {
      const cursor = transaction.objectStore(table).openCursor()
      cursor.addEventListener('success', () => {
        const at = cursor.result
        if (!at) return
        const { primaryKey } = at
        if (typeof primaryKey !== 'string' || !keys.has(primaryKey)) at.delete()
        at.continue()
      })
    }
  })
}
