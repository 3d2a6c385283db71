/**
 * Which version of each collection the device has stored, without RxDB: it is asked before RxDB may open anything, which
 * would make what it does not find. RxDB keeps one IndexedDB database for each collection and version, and a store of its
 * own that names them; a migration writes beside it which versions hold (`migrate.ts`). Tested with RxDB 17.6.
 */
import { openThere, readAll } from './idb.ts'

/** What RxDB calls its databases. */
export const storeName = (database: string, version: number, collection: string) =>
  `rxdb-dexie-${database}--${version}--${collection}`
export const INTERNAL_DOCS = 'docs'
export const internalName = (database: string) => storeName(database, 0, '_rxdb_internal')

/** RxDB's row of a collection: `collection|requests-0`. */
const COLLECTION_ROW = /^collection\|(.+)-(\d+)$/
export const rowOfCollection = (collection: string, version: number) => `collection|${collection}-${version}`
/** Our row among RxDB's. */
export const LAYOUT_ROW = 'OTHER|genba-layout'

/** What a migration wrote down. */
export interface LayoutRow {
  /** Version that holds, of each collection that was ever migrated. */
  versions: Readonly<Record<string, number>>
  /** Stores of the replication by the collection they belong to. */
  connected: Readonly<Record<string, readonly string[]>>
  /** Databases of versions before: to be deleted. */
  leftovers: readonly string[]
}

const NO_LAYOUT_ROW: LayoutRow = { versions: {}, connected: {}, leftovers: [] }

interface StoredLayout {
  /** The version that holds, of each collection there is. */
  versions: ReadonlyMap<string, number>
  leftovers: readonly string[]
}

interface Versioned {
  readonly version: number
}
type Schemas = Readonly<Record<string, Versioned>>

/** @returns what the device has stored of a user; nothing where there is no database yet */
export async function storedLayout(indexedDB: IDBFactory, database: string): Promise<StoredLayout> {
  const internal = await openThere(indexedDB, internalName(database))
  if (!internal?.objectStoreNames.contains(INTERNAL_DOCS)) {
    internal?.close()
    return { versions: new Map(), leftovers: [] }
  }
  try {
    const docs = internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS)
    const [keys, row] = await readAll([docs.getAllKeys(), docs.get(LAYOUT_ROW)])
    return layoutOf(keys.map(String), rowOf(row))
  } finally {
    internal.close()
  }
}

/** A pure rule: what was migrated says its version; of the others the newest there is holds. */
export function layoutOf(keys: readonly string[], { versions, leftovers }: LayoutRow): StoredLayout {
  const held = new Map<string, number>()
  for (const key of keys) {
    const [, collection, version] = COLLECTION_ROW.exec(key) ?? []
    if (collection !== undefined) held.set(collection, Math.max(Number(version), held.get(collection) ?? 0))
  }
  for (const [collection, version] of Object.entries(versions)) held.set(collection, version)
  return { versions: held, leftovers }
}

/** As RxDB's own rows stand there: it reads past it. */
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

export function rowOf(stored: unknown): LayoutRow {
  const data: unknown = typeof stored === 'object' && stored !== null ? Reflect.get(stored, 'data') : null
  return typeof data === 'object' && data !== null ? { ...NO_LAYOUT_ROW, ...data } : NO_LAYOUT_ROW
}

/**
 * `older`: to be migrated before it is opened; `newer`: a later version of the app wrote it, and this one must not touch it.
 */
export function layoutAge(stored: StoredLayout, schemas: Schemas): 'same' | 'older' | 'newer' {
  const known = [...stored.versions].flatMap(([name, version]) => {
    const schema = schemas[name]
    return schema ? version - schema.version : []
  })
  if (known.some((ahead) => ahead > 0)) return 'newer'
  return known.some((ahead) => ahead < 0) ? 'older' : 'same'
}
