/**
 * The layout of one store, an IndexedDB database as RxDB's Dexie storage (17.6) makes it. It is opened without Dexie, which
 * checks the tables in a transaction at each opening, and without RxDB, which never opens a store again after a failure.
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
