/**
 * Creates a store's tables exactly as RxDB's Dexie storage declares them, so that Dexie finds nothing to
 * change. RxDB 17.6.
 */
import type { MovedSchema } from './moved-document.ts'
import { INTERNAL_DOCS } from './stored-layout.ts'

/** Dexie multiplies its version number by ten. */
export const DEXIE_VERSION = 10

/** Creates the tables of a collection's database. */
export function makeTables(db: IDBDatabase, primaryKey: string, indexes: MovedSchema['indexes']): void {
  const docs = db.createObjectStore(INTERNAL_DOCS, { keyPath: primaryKey })
  for (const fields of indexesOf(primaryKey, indexes))
    if (fields.length === 1) docs.createIndex(String(fields[0]), String(fields[0]))
    else docs.createIndex(`[${fields.join('+')}]`, [...fields])
  db.createObjectStore('changes', { keyPath: 'sequence', autoIncrement: true }).createIndex('id', 'id')
  db.createObjectStore('attachments', { keyPath: 'id' })
}

/** RxDB starts each index with `_deleted` and ends it with the primary key. */
function indexesOf(primaryKey: string, indexes: MovedSchema['indexes']): string[][] {
  const all = [
    ['_deleted', primaryKey],
    ...indexes.map((index) => {
      const fields = [index].flat()
      return ['_deleted', ...fields, ...(fields.includes(primaryKey) ? [] : [primaryKey])]
    }),
    ['_meta.lwt', primaryKey],
    ['_meta.lwt'],
  ]
  return [...new Map(all.map((fields) => [fields.join('+'), fields])).values()]
}
