/**
 * The stores of a user who is not signed in, without RxDB: it opens no more than one user's collections on a page. Whole
 * databases go where nothing in them stays, for rows that are deleted stay readable in the browser's files for a while.
 *
 *     read all that can be unsent ─→ decide (`what-stays.ts`) ─→ databases go ─→ rows go
 *
 * What cannot be read is left as it is: then nothing goes (sync RULES SV3). Nobody may have the stores open meanwhile.
 */
import { Dexie } from 'dexie'
import { answerCacheName } from '#data/http-cache/answer-cache.ts'
import { photoBytesName } from '#data/photo-bytes/photo-bytes.ts'
import { lockedRowIds, discardLocked } from '#data/locked/locked-rows.ts'
import { usersNamed } from '#data/database/user-names.ts'
import {
  BYTES,
  decidesWhatStays,
  whatStays,
  type Row,
  type Stored,
  type Until,
} from '#data/database/what-stays.ts'

/** RxDB's own account of its collections: it names no content, and is needed by what stays. */
const INTERNAL = '_rxdb_internal'

interface Store {
  database: string
  /** Collection, `bytes`, or what else it is for. */
  name: string
}

/** @returns `genba-<hash>` of everyone who has something on the device */
export async function usersOnDevice(indexedDB: IDBFactory): Promise<string[]> {
  return usersNamed(await databaseNames(indexedDB))
}

/** @param user `genba-<hash>` @returns whether anything of the user stays */
export async function leaveUnsentOnly(indexedDB: IDBFactory, user: string, until: Until): Promise<boolean> {
  const stores = await storesOf(indexedDB, user)
  const { staying, isAny } = await stayingOf(indexedDB, stores, until)
  const keysIn = ({ name }: Store) => staying.get(name) ?? new Set<string>()
  const isKept = (store: Store) => isAny && (store.name === INTERNAL || keysIn(store).size > 0)
  for (const store of stores) if (!isKept(store)) await new Dexie(store.database, { indexedDB }).delete()
  for (const store of stores.filter(isKept))
    if (store.name !== INTERNAL) await withDatabase(indexedDB, store, (db) => keepOnly(db, keysIn(store)))
  if (await isAside(indexedDB, user)) return true
  // its name would say that somebody was here
  await discardLocked(indexedDB, user)
  return isAny
}

/** @param user `genba-<hash>` @returns whether anything of the user would stay; nothing is changed */
export async function hasUnsent(indexedDB: IDBFactory, user: string, until: Until): Promise<boolean> {
  const { isAny } = await stayingOf(indexedDB, await storesOf(indexedDB, user), until)
  return isAny || isAside(indexedDB, user)
}

/** Sealed under a password of before: only its user discards it (decisions/encryption). */
const isAside = async (indexedDB: IDBFactory, user: string) =>
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

/** Firefox before 126 does not tell; Dexie keeps a list of its own there. */
async function databaseNames(indexedDB: IDBFactory): Promise<string[]> {
  if (!('databases' in indexedDB)) return Dexie.getDatabaseNames()
  return (await (indexedDB as IDBFactory).databases()).flatMap(({ name }) => name ?? [])
}

/** Every version of a collection, as a migration that was cut short leaves them. */
async function read(indexedDB: IDBFactory, stores: readonly Store[]): Promise<Stored> {
  const stored = new Map<string, Row[]>()
  for (const store of stores) {
    const rows = await withDatabase(indexedDB, store, rowsIn)
    stored.set(store.name, [...(stored.get(store.name) ?? []), ...rows])
  }
  return stored
}

/** The table that says what there is: RxDB's documents, or the facts of bytes. */
const tableOf = (db: IDBDatabase) => ['docs', 'info'].find((name) => db.objectStoreNames.contains(name))

function rowsIn(db: IDBDatabase): Promise<Row[]> {
  const table = tableOf(db)
  return table ? done(db.transaction(table).objectStore(table).getAll()) : Promise.resolve([])
}

/** In all tables, on disk when it resolves. */
function keepOnly(db: IDBDatabase, keys: ReadonlySet<string>): Promise<void> {
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

async function withDatabase<T>(
  indexedDB: IDBFactory,
  { database }: Store,
  run: (db: IDBDatabase) => Promise<T>,
): Promise<T> {
  const db = await done(indexedDB.open(database))
  try {
    return await run(db)
  } finally {
    db.close()
  }
}

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new DOMException('', 'UnknownError')))
  })
