/**
 * IndexedDB with promises, and with reads and connections that outlast a closed connection, for the storage and for code that
 * works without RxDB: migration, locked data, cleanup after a logout. Dexie is not used, because it would open each database
 * twice to learn its tables.
 */

const unknownError = () => new DOMException('', 'UnknownError')

export const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? unknownError()))
  })

/** Returns why a transaction aborted. After a lost connection the browser gives no reason. */
export const abortError = ({ error }: IDBTransaction, failed: Error | null = null): Error =>
  error ?? failed ?? new DOMException('The connection was lost', 'AbortError')

/**
 * Resolves when a transaction is complete, and with strict durability on disk.
 * @throws the error of an aborted transaction. If a request fails after `commit()`, WebKit gives the error to the request
 * alone and not to the transaction.
 */
export const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    let failed: DOMException | null = null
    transaction.addEventListener('error', ({ target }) => (failed ??= (target as IDBRequest).error))
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(abortError(transaction, failed)))
  })

/** Opens a database; null if it does not exist. Never creates one. */
async function openExisting(indexedDB: IDBFactory, name: string): Promise<IDBDatabase | null> {
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

export type Connection = ReturnType<typeof connectionTo>

/** Opens a store with its first read or write of this table, because a start reads few of the stores. */
export function connectionTo(open: () => Promise<IDBDatabase>, table: string) {
  let opening: Promise<IDBDatabase> | undefined
  const lost = () => void (opening = undefined)
  const watched = async () => {
    const db = await open()
    // iOS closes the connections of an app in the background.
    db.addEventListener('close', lost)
    db.addEventListener('versionchange', () => {
      db.close()
      lost()
    })
    return db
  }
  /** Opens the store at the first call, and again after a failure or a lost connection. */
  const opened = () =>
    (opening ??= watched().catch((error: unknown) => {
      lost()
      throw error
    }))
  const beginNow = async (...mode: [mode: IDBTransactionMode, options?: IDBTransactionOptions]) =>
    (await opened()).transaction(table, ...mode).objectStore(table)
  return {
    opened,
    /** Begins a transaction on the table, on a new connection if the present one is lost. */
    begin: (...mode: Parameters<typeof beginNow>): Promise<IDBObjectStore> =>
      beginNow(...mode).catch((error: unknown) => {
        if (!isBrokenOff(error)) throw error
        lost()
        return beginNow(...mode)
      }),
    async close() {
      const db = await opening?.catch(() => undefined)
      db?.close()
    },
  }
}

/** Waits in ms before each repeat of an aborted read. Repeats are few, because closing a database waits for them. */
const WAITS_MS = [0, 100, 500, 2_000]

/** Names of IndexedDB's errors for an aborted read. */
const BROKEN_OFF: readonly unknown[] = [
  'AbortError',
  'InvalidStateError',
  'UnknownError',
  'TransactionInactiveError',
]

/** True if the browser aborted the read, so that the data may be intact. */
export const isBrokenOff = (error: unknown): boolean =>
  BROKEN_OFF.includes(Reflect.get(Object(error), 'name'))

export type ReadAgain = <T>(read: () => Promise<T>) => Promise<T>

/**
 * @param closing aborts when the store closes, which ends any wait and refuses later reads
 * @param report called at the first failure after a success
 */
export function readingAgain(closing: AbortSignal, report: (problem: string) => void): ReadAgain {
  let isReported = false
  return async (read) => {
    for (const wait of WAITS_MS) {
      try {
        closing.throwIfAborted()
        const result = await read()
        isReported = false
        return result
      } catch (error) {
        if (closing.aborted || !isBrokenOff(error)) throw error
        if (!isReported) report(`a read was broken off, and is made again: ${String(error)}`)
        isReported = true
        await pause(wait, closing)
      }
    }
    return read()
  }
}

const pause = (ms: number, closing: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      closing.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    closing.addEventListener('abort', end)
  })
