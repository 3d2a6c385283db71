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
export const openStore = (
  indexedDB: IDBFactory,
  name: string,
  { primaryKey, indexes }: StoreShape,
): Promise<IDBDatabase> =>
  openOrCreate(indexedDB, name, DEXIE_VERSION, (db) => makeTables(db, primaryKey, indexes))

export interface Connection {
  /** Opens the store at the first call, and again after a failure or a lost connection. */
  opened(): Promise<IDBDatabase>
  /** Gives a connection up on which no transaction can begin. The next call of `opened` makes a new one. */
  lost(): void
  close(): Promise<void>
}

/** Opens a store with its first read or write, because a start reads few of the stores. */
export function connectionTo(open: () => Promise<IDBDatabase>): Connection {
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
  return {
    opened: () =>
      (opening ??= watched().catch((error: unknown) => {
        lost()
        throw error
      })),
    lost,
    async close() {
      const db = await opening?.catch(() => undefined)
      db?.close()
    },
  }
}

/** Creates the tables of a store exactly as RxDB's Dexie storage declares them, so that this storage can open it too. */
function makeTables(db: IDBDatabase, primaryKey: string, indexes: StoreShape['indexes']): void {
  const docs = db.createObjectStore(DOCS, { keyPath: primaryKey })
  for (const fields of indexesOf(primaryKey, indexes))
    if (fields.length === 1) docs.createIndex(String(fields[0]), String(fields[0]))
    else docs.createIndex(`[${fields.join('+')}]`, [...fields])
  db.createObjectStore('changes', { keyPath: 'sequence', autoIncrement: true }).createIndex('id', 'id')
  db.createObjectStore('attachments', { keyPath: 'id' })
}

/** Returns the indexes as RxDB makes them: `_deleted` comes first, and the primary key last. */
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
    ['_meta.lwt'],
  ]
  return [...new Map(all.map((fields) => [fields.join('+'), fields])).values()]
}
