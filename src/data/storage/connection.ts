/**
 * The connection to one store, an IndexedDB database in the layout of RxDB's Dexie storage (17.6). It is opened without
 * Dexie, which checks the tables in a transaction at each opening, and without RxDB, which never opens a store again
 * after a failure.
 */
import { openOrCreate } from './idb.ts'

export const DOCS = 'docs'

/** Fields of an RxDB schema that decide the layout of a store. */
export interface StoreShape {
  readonly primaryKey: string
  readonly indexes: readonly (string | readonly string[])[]
}

/** Dexie multiplies its version numbers by 10. */
const DEXIE_VERSION = 10

/** Opens a store, and creates it first if it does not exist. */
export const openStore = (indexedDB: IDBFactory, name: string, shape: StoreShape): Promise<IDBDatabase> =>
  openOrCreate(indexedDB, name, DEXIE_VERSION, (db) => makeTables(db, shape))

export type Connection = ReturnType<typeof connectionTo>

/** Opens a store with its first read or write, because a start reads few of the stores. */
export function connectionTo(open: () => Promise<IDBDatabase>) {
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
    (await opened()).transaction(DOCS, ...mode).objectStore(DOCS)
  return {
    opened,
    /** Begins a transaction on the table of documents, on a new connection if the present one is lost. */
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

/** Creates the tables of a store exactly as RxDB's Dexie storage declares them, so that this storage can open it too. */
function makeTables(db: IDBDatabase, { primaryKey, indexes }: StoreShape): void {
  const docs = db.createObjectStore(DOCS, { keyPath: primaryKey })
  docs.createIndex('_meta.lwt', '_meta.lwt')
  for (const fields of indexesOf(primaryKey, indexes)) docs.createIndex(`[${fields.join('+')}]`, fields)
  db.createObjectStore('changes', { keyPath: 'sequence', autoIncrement: true }).createIndex('id', 'id')
  db.createObjectStore('attachments', { keyPath: 'id' })
}

/** Returns the indexes of several fields as RxDB makes them: `_deleted` comes first, and the primary key last. */
function indexesOf(primaryKey: string, indexes: StoreShape['indexes']): string[][] {
  const all = [
    ['_deleted', primaryKey],
    ...indexes.map((index) => {
      const fields = [index].flat()
      // RxDB hands a storage the schema with its own indexes, which are complete.
      if (fields[0] === '_deleted' || fields[0] === '_meta.lwt') return fields
      return ['_deleted', ...fields, ...(fields.includes(primaryKey) ? [] : [primaryKey])]
    }),
    ['_meta.lwt', primaryKey],
  ]
  return [...new Map(all.map((fields) => [fields.join('+'), fields])).values()]
}

/** Waits in ms before each repeat of a read that the browser has aborted. Repeats are few, because closing a database waits for them. */
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
