/**
 * Reads a user's stores directly, without RxDB, whatever app version wrote them: lists them and reads their
 * rows in pieces.
 */
import { done } from '#data/migration/idb.ts'
import { clearFields } from '#data/storage/clear-fields.ts'
import { RXDB_INTERNAL } from '#data/storage/own-store.ts'
import type { Row, RowStore } from '#data/storage/row-codec.ts'

export const DOCS = 'docs'
/** Rows per piece. */
const PIECE = 60

/** One collection's IndexedDB database. */
export interface RawStore {
  /** Name of the IndexedDB database. */
  name: string
  collection: string
  version: number
}

/**
 * All collection databases of a user, without RxDB's internal one.
 * @param user `genba-<hash>`
 */
export async function rawStores(indexedDB: IDBFactory, user: string): Promise<RawStore[]> {
  // Firefox before 126 cannot list databases.
  const names = 'databases' in indexedDB ? await indexedDB.databases() : []
  const start = `rxdb-dexie-${user}--`
  return names.flatMap(({ name = '' }) => {
    const [version, collection] = name.startsWith(start) ? name.slice(start.length).split('--') : []
    const isOurs = collection !== undefined && collection !== RXDB_INTERNAL
    return isOurs ? [{ name, collection, version: Number(version) }] : []
  })
}

/**
 * Describes a table to the row codec, from its actual indexes, so that rows of any version are encoded as
 * that version would.
 */
export function rowStoreOf(
  user: string,
  { collection, version }: Pick<RawStore, 'collection' | 'version'>,
  db: IDBDatabase,
): RowStore {
  const docs = db.transaction(DOCS).objectStore(DOCS)
  const indexes = [...docs.indexNames].map((name) => docs.index(name).keyPath)
  const primary = String(docs.keyPath)
  return { database: user, collection, version, primary, clear: clearFields(primary, indexes) }
}

/**
 * Passes all rows in key order, piece by piece.
 * @param take handles one piece; false stops
 * @returns true if all rows were passed
 */
export async function eachPiece(
  db: IDBDatabase,
  table: string,
  ranges: typeof IDBKeyRange,
  take: (rows: Row[]) => Promise<boolean>,
): Promise<boolean> {
  for (let after: IDBValidKey | null = null; ;) {
    const docs = db.transaction(table).objectStore(table)
    const range: IDBKeyRange | null = after === null ? null : ranges.lowerBound(after, true)
    const rows: Row[] = await done(docs.getAll(range, PIECE))
    if (rows.length > 0 && !(await take(rows))) return false
    if (rows.length < PIECE) return true
    after = rows.at(-1)?.[String(docs.keyPath)] as IDBValidKey
  }
}
