/**
 * A user's stores as they lie, without RxDB and whatever the version of the app that made them: which there are, and all rows
 * of one in pieces.
 */
import { done } from '#data/migration/idb.ts'
import { clearFields } from '#data/storage/clear-fields.ts'
import { RXDB_INTERNAL } from '#data/storage/own-store.ts'
import type { Row, RowStore } from '#data/storage/row-codec.ts'

export const DOCS = 'docs'
const PIECE = 60

export interface RawStore {
  /** Name of the IndexedDB database. */
  name: string
  collection: string
  version: number
}

/** @param user `genba-<hash>` @returns all that RxDB keeps of the user, but for its account of itself */
export async function rawStores(indexedDB: IDBFactory, user: string): Promise<RawStore[]> {
  // Firefox before 126 does not tell
  const names = 'databases' in indexedDB ? await indexedDB.databases() : []
  const start = `rxdb-dexie-${user}--`
  return names.flatMap(({ name = '' }) => {
    const [version, collection] = name.startsWith(start) ? name.slice(start.length).split('--') : []
    const isOurs = collection !== undefined && collection !== RXDB_INTERNAL
    return isOurs ? [{ name, collection, version: Number(version) }] : []
  })
}

/** What a codec asks, by the table as it is: rows of any version are sealed as that version would. */
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

/** @param take the next rows in the order of their keys; false ends it @returns whether all were taken */
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
