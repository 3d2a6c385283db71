/**
 * Reads which version of each collection is on the device, without RxDB, which would create missing stores. RxDB has
 * one IndexedDB database for each collection and version, and one that lists them. A migration adds a row to the list
 * that names the valid versions (`migrate.ts`). Tested with RxDB 17.6.
 */
import { RXDB_INTERNAL } from '#data/database/database-name.ts'
import { resultsOf, withDatabase } from '#data/storage/idb.ts'

/** Returns the name that RxDB gives to the database of a collection. */
export const storeName = (database: string, version: number, collection: string) =>
  `rxdb-dexie-${database}--${version}--${collection}`
export const INTERNAL_DOCS = 'docs'
export const internalName = (database: string) => storeName(database, 0, RXDB_INTERNAL)

/** Matches the id of RxDB's row for a collection, such as `collection|requests-0`. */
const COLLECTION_ROW = /^collection\|(.+)-(\d+)$/
export const rowOfCollection = (collection: string, version: number) => `collection|${collection}-${version}`
/** Id of the row that a migration adds to RxDB's list. */
export const LAYOUT_ROW = 'OTHER|genba-layout'

export interface LayoutRow {
  /** Valid version of each collection that was ever migrated. */
  versions: Readonly<Record<string, number>>
  connected: Readonly<Record<string, readonly string[]>>
  /** Databases of earlier versions that are not deleted yet. */
  leftovers: readonly string[]
}

const NO_LAYOUT_ROW: LayoutRow = { versions: {}, connected: {}, leftovers: [] }

type StoredLayout = { versions: ReadonlyMap<string, number>; leftovers: readonly string[] }

type Schemas = Readonly<Record<string, { readonly version: number }>>

/** Returns the stored layout of a user; an empty layout if the user has no database. */
export async function storedLayout(indexedDB: IDBFactory, database: string): Promise<StoredLayout> {
  const stored = await withDatabase(indexedDB, internalName(database), async (internal) => {
    if (!internal.objectStoreNames.contains(INTERNAL_DOCS)) return undefined
    const docs = internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS)
    const [keys, row] = await resultsOf([docs.getAllKeys(), docs.get(LAYOUT_ROW)])
    return layoutOf(keys.map(String), rowOf(row))
  })
  return stored ?? { versions: new Map(), leftovers: [] }
}

/** Returns the valid version of each collection: the one named by a migration, otherwise the newest. Pure. */
export function layoutOf(keys: readonly string[], { versions, leftovers }: LayoutRow): StoredLayout {
  const valid = new Map<string, number>()
  for (const key of keys) {
    const [, collection, version] = COLLECTION_ROW.exec(key) ?? []
    if (collection !== undefined) valid.set(collection, Math.max(Number(version), valid.get(collection) ?? 0))
  }
  for (const [collection, version] of Object.entries(versions)) valid.set(collection, version)
  return { versions: valid, leftovers }
}

/** Returns the layout row in the form of RxDB's own rows, because RxDB parses every row of its list. It ignores this one. */
export const storedRow = (data: LayoutRow) => ({
  id: LAYOUT_ROW,
  key: 'genba-layout',
  context: 'OTHER',
  data,
  _deleted: '0',
  _meta: { lwt: 1 },
  _rev: '1-genba',
  _attachments: {},
})

/** Parses a stored layout row; an empty row if there is none. */
export function rowOf(stored: unknown): LayoutRow {
  const data: unknown = typeof stored === 'object' && stored !== null ? Reflect.get(stored, 'data') : null
  return typeof data === 'object' && data !== null ? { ...NO_LAYOUT_ROW, ...data } : NO_LAYOUT_ROW
}

/** Compares stored versions with this app's. A later app version has written `newer` stores, which stay untouched. */
export function layoutAge(stored: StoredLayout, schemas: Schemas): 'same' | 'older' | 'newer' {
  const differences = [...stored.versions].flatMap(([name, version]) => {
    const schema = schemas[name]
    return schema ? version - schema.version : []
  })
  if (differences.some((difference) => difference > 0)) return 'newer'
  return differences.some((difference) => difference < 0) ? 'older' : 'same'
}
