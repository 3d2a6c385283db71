/**
 * IndexedDB as promises, only what a migration needs. Dexie would open each database twice to learn its
 * tables.
 */

export const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new DOMException('', 'UnknownError')))
  })

/** The results of several requests. */
export const readAll = <T extends readonly IDBRequest[]>(requests: T) =>
  Promise.all(requests.map(done)) as Promise<{ [I in keyof T]: T[I] extends IDBRequest<infer R> ? R : never }>

/** Opens a database; null if it does not exist. Never creates one. */
export async function openThere(indexedDB: IDBFactory, name: string): Promise<IDBDatabase | null> {
  const opening = indexedDB.open(name)
  let isNew = false
  opening.addEventListener('upgradeneeded', () => {
    isNew = true
    opening.transaction?.abort()
  })
  try {
    return await done(opening)
  } catch (error) {
    if (isNew) return null
    throw error
  }
}

/**
 * Runs `run` on a database, then closes it.
 * @returns undefined if the database does not exist
 */
export async function withDatabase<T>(
  indexedDB: IDBFactory,
  name: string,
  run: (db: IDBDatabase) => Promise<T>,
): Promise<T | undefined> {
  const db = await openThere(indexedDB, name)
  if (!db) return undefined
  try {
    return await run(db)
  } finally {
    db.close()
  }
}

/** Passes all rows of a table in key order, in pieces of `size`. */
export async function eachPiece<Row extends Record<string, unknown>>(
  db: IDBDatabase,
  { table, ranges, size }: { table: string; ranges: typeof IDBKeyRange; size: number },
  take: (rows: Row[], primary: string) => Promise<void>,
): Promise<void> {
  for (let after: IDBValidKey | null = null; ;) {
    const docs = db.transaction(table).objectStore(table)
    const range: IDBKeyRange | null = after === null ? null : ranges.lowerBound(after, true)
    const rows: Row[] = await done(docs.getAll(range, size))
    if (rows.length > 0) await take(rows, String(docs.keyPath))
    if (rows.length < size) return
    after = rows.at(-1)?.[String(docs.keyPath)] as IDBValidKey
  }
}

/**
 * Opens a database and creates it if needed.
 * @param make creates the tables of a new database
 */
export function openNew(
  indexedDB: IDBFactory,
  name: string,
  version: number,
  make: (db: IDBDatabase) => void,
) {
  const opening = indexedDB.open(name, version)
  opening.addEventListener('upgradeneeded', () => make(opening.result))
  return done(opening)
}

/** In Chromium a closed connection still counts until its last transaction ends. */
const CLOSING_MS = 2_000

/**
 * Deletes a database.
 * @throws if another tab has it open
 */
export function deleteDatabase(indexedDB: IDBFactory, name: string): Promise<unknown> {
  const deleting = indexedDB.deleteDatabase(name)
  return new Promise((resolve, reject) => {
    deleting.addEventListener('blocked', () =>
      setTimeout(() => reject(new DOMException(`${name} is open`, 'InvalidStateError')), CLOSING_MS),
    )
    deleting.addEventListener('success', resolve)
    deleting.addEventListener('error', () => reject(deleting.error ?? new DOMException('', 'UnknownError')))
  })
}

/**
 * Runs one transaction and resolves when it is on disk.
 * @param run must only wait for its own requests
 */
export function written(db: IDBDatabase, table: string, run: (store: IDBObjectStore) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(table, 'readwrite', { durability: 'strict' })
    const failed = () =>
      reject(transaction.error ?? new DOMException('The write was cut short', 'AbortError'))
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', failed)
    try {
      run(transaction.objectStore(table))
    } catch (error) {
      reject(error)
      transaction.abort()
    }
  })
}
