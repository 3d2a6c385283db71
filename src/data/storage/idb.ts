/**
 * IndexedDB with promises, for code that works without RxDB: migration, locked data, cleanup after a logout. Dexie is
 * not used, because it would open each database twice to learn its tables.
 */

const unknownError = () => new DOMException('', 'UnknownError')

export const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? unknownError()))
  })

/** Returns why a transaction aborted. After a lost connection the browser gives no reason. */
export const abortError = ({ error }: IDBTransaction): Error =>
  error ?? new DOMException('The connection was lost', 'AbortError')

/**
 * Resolves when a transaction is complete, and with strict durability on disk.
 * @throws the error of an aborted transaction
 */
export const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(abortError(transaction)))
  })

/** Opens a database; null if it does not exist. Never creates one. */
export async function openExisting(indexedDB: IDBFactory, name: string): Promise<IDBDatabase | null> {
  const opening = indexedDB.open(name)
  let isNew = false
  opening.addEventListener('upgradeneeded', () => {
    isNew = true
    opening.transaction?.abort()
  })
  try {
    return await resultOf(opening)
  } catch (error) {
    if (isNew) return null
    throw error
  }
}

/**
 * Opens a database, calls `run`, and closes the database.
 * @returns undefined if the database does not exist
 */
export async function withDatabase<T>(
  indexedDB: IDBFactory,
  name: string,
  run: (db: IDBDatabase) => Promise<T>,
): Promise<T | undefined> {
  const db = await openExisting(indexedDB, name)
  if (!db) return undefined
  try {
    return await run(db)
  } finally {
    db.close()
  }
}

/** Passes all rows of a table to `take` in the order of keys, at most `size` at once. */
export async function eachPiece<Row extends Record<string, unknown>>(
  db: IDBDatabase,
  { table, ranges, size }: { table: string; ranges: typeof IDBKeyRange; size: number },
  take: (rows: Row[], primary: string) => Promise<void>,
): Promise<void> {
  for (let after: IDBValidKey | null = null; ;) {
    const store = db.transaction(table).objectStore(table)
    const primary = String(store.keyPath)
    const range: IDBKeyRange | null = after === null ? null : ranges.lowerBound(after, true)
    const rows: Row[] = await resultOf(store.getAll(range, size))
    if (rows.length > 0) await take(rows, primary)
    if (rows.length < size) return
    after = rows.at(-1)?.[primary] as IDBValidKey
  }
}

/**
 * Opens a database, and creates it if it does not exist.
 * @param makeTables creates the tables of a new database
 */
export function openOrCreate(
  indexedDB: IDBFactory,
  name: string,
  version: number,
  makeTables: (db: IDBDatabase) => void,
) {
  const opening = indexedDB.open(name, version)
  opening.addEventListener('upgradeneeded', () => makeTables(opening.result))
  return resultOf(opening)
}

/** Maximum wait for connections to close. Chromium keeps a closed connection until its last transaction ends. */
const CLOSING_MS = 2_000

export function deleteDatabase(indexedDB: IDBFactory, name: string): Promise<unknown> {
  const deleting = indexedDB.deleteDatabase(name)
  return new Promise((resolve, reject) => {
    deleting.addEventListener('blocked', () =>
      setTimeout(() => reject(new DOMException(`${name} is open`, 'InvalidStateError')), CLOSING_MS),
    )
    resultOf(deleting).then(resolve, reject)
  })
}

/**
 * Writes to a table in one transaction, and resolves once the writes are on disk.
 * @param write may wait only for its own requests
 */
export async function writeDurably(
  db: IDBDatabase,
  table: string,
  write: (store: IDBObjectStore) => void,
): Promise<void> {
  const transaction = db.transaction(table, 'readwrite', { durability: 'strict' })
  const written = committed(transaction)
  try {
    write(transaction.objectStore(table))
  } catch (error) {
    transaction.abort()
    await written.catch(() => undefined)
    throw error
  }
  await written
}
