/**
 * What a phone has stored becomes what this version of the app stores. RxDB's own migration deletes each old store as soon
 * as its copy is made, one collection after the other; where one of them fails, neither version can open the device. Here
 * nothing that was is touched until all of the new stands:
 *
 *     copy each collection, and what its replication knows ─→ switch, one transaction ─→ old databases go
 *     └ killed, failed: the copies are nobody's,              └ the queue is in the new   └ killed: the next start
 *       the next try begins anew, the old app opens             stores only                 goes on
 *
 * A copy is a database of its own, whose name has its version; which version holds is one row (`stored-layout.ts`). Nobody
 * else may have the stores open (`open-stores.ts`). Times and revisions stay, so the replication goes on where it was.
 */
import { clearFields } from '#data/storage/clear-fields.ts'
import type { CodecFor, Row as CodedRow } from '#data/storage/row-codec.ts'
import { deleteDatabase, done, openNew, openThere, written } from './idb.ts'
import type { MigrationPath } from './moved-document.ts'
import {
  INTERNAL_DOCS,
  internalName,
  LAYOUT_ROW,
  rowOf,
  rowOfCollection,
  storedRow,
  type LayoutRow,
} from './stored-layout.ts'
import { DEXIE_VERSION, makeTables } from './tables.ts'
import { leftBy, storesOf, migrationPaths, type Layout, type Row, type StoreMove } from './migration-paths.ts'

export interface Migration {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  /** The user's: `genba-<hash>`. */
  database: string
  layout: Layout
  durable: readonly string[]
  /** How rows lie on the disk: a step is given what they are. */
  codecFor?: CodecFor | undefined
}

const PIECE = 200

/** @throws where it cannot be done: all that was there is as it was, and the version before opens it */
export async function migrate(migration: Migration): Promise<void> {
  const { indexedDB, database } = migration
  const internal = await openThere(indexedDB, internalName(database))
  if (!internal) return
  try {
    const { ways, row } = await migrationPaths(internal, migration)
    await clearTargets(ways, row, migration)
    for (const way of ways) await copyCollection(way, row, migration)
    if (ways.length > 0) await switchTo(ways, row, internal, database)
  } finally {
    internal.close()
  }
  await clearLeftovers(indexedDB, database)
}

/** All through the steps, and nothing written. @returns its length as JSON @throws where a step fails */
export async function rehearse(migration: Migration): Promise<number> {
  const { indexedDB, database } = migration
  const internal = await openThere(indexedDB, internalName(database))
  if (!internal) return 0
  let length = 0
  const measure = (row: Row | null) => (length += JSON.stringify(row).length)
  try {
    const { ways, row } = await migrationPaths(internal, migration)
    for (const way of ways)
      for (const { from, move } of storesOf(database, way, row))
        await eachPiece(migration, from, async (rows, primary) =>
          (await codecOf(migration, from, primary).decode(rows)).map(move).forEach(measure),
        )
  } finally {
    internal.close()
  }
  return length
}

/** The databases of versions before, as a switch left them. */
export async function clearLeftovers(indexedDB: IDBFactory, database: string): Promise<void> {
  const internal = await openThere(indexedDB, internalName(database))
  if (!internal) return
  try {
    const row = rowOf(
      await done(internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS).get(LAYOUT_ROW)),
    )
    if (row.leftovers.length === 0) return
    for (const name of row.leftovers) await deleteDatabase(indexedDB, name)
    await written(internal, INTERNAL_DOCS, (docs) => docs.put(storedRow({ ...row, leftovers: [] })))
  } finally {
    internal.close()
  }
}

/** What a try that was cut short has left there. */
async function clearTargets(
  ways: readonly MigrationPath[],
  row: LayoutRow,
  { indexedDB, database }: Migration,
) {
  for (const way of ways)
    for (const { to } of storesOf(database, way, row)) await deleteDatabase(indexedDB, to)
}

async function copyCollection(way: MigrationPath, row: LayoutRow, migration: Migration): Promise<void> {
  const { indexedDB, database } = migration
  for (const { from, to, primaryKey, indexes, move } of storesOf(database, way, row)) {
    const copy = await openNew(indexedDB, to, DEXIE_VERSION, (db) => makeTables(db, primaryKey, indexes))
    try {
      await eachPiece(migration, from, async (rows, primary) => {
        const plain = await codecOf(migration, from, primary).decode(rows)
        const moved = plain.map(move).filter((each) => each !== null)
        const encoded = await codecOf(migration, to, primaryKey, indexes).encode(moved)
        return written(copy, INTERNAL_DOCS, (docs) => encoded.forEach((each) => docs.put(each)))
      })
    } finally {
      copy.close()
    }
  }
}

/** @param store name of the IndexedDB database; the codec knows it by its collection */
function codecOf(
  { codecFor, database }: Migration,
  store: string,
  primary: string,
  indexes: StoreMove['indexes'] = [],
): { decode(rows: readonly unknown[]): Promise<Row[]>; encode(rows: readonly Row[]): Promise<Row[]> } {
  const [, version, collection = ''] = store.split('--')
  const clear = clearFields(primary, indexes)
  const codec = codecFor?.({ database, collection, version: Number(version), primary, clear })
  // rows have `_deleted`, all that a codec asks of them beside the fields
  return {
    decode: async (rows) => codec?.decode(rows as CodedRow[]) ?? (rows as Row[]),
    encode: async (rows) => codec?.encode(rows as CodedRow[]) ?? [...rows],
  }
}

/** @param take the next rows in the order of their keys, and the field that is their key */
async function eachPiece(
  { indexedDB, ranges }: Pick<Migration, 'indexedDB' | 'ranges'>,
  name: string,
  take: (rows: Row[], primary: string) => Promise<void>,
): Promise<void> {
  const db = await openThere(indexedDB, name)
  if (!db) return
  try {
    for (let after: IDBValidKey | null = null; ;) {
      const docs = db.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS)
      const range: IDBKeyRange | null = after === null ? null : ranges.lowerBound(after, true)
      const rows: Row[] = await done(docs.getAll(range, PIECE))
      if (rows.length > 0) await take(rows, String(docs.keyPath))
      if (rows.length < PIECE) return
      after = rows.at(-1)?.[String(docs.keyPath)] as IDBValidKey
    }
  } finally {
    db.close()
  }
}

/** From here on the new stores hold: one transaction, on disk when it resolves. */
function switchTo(
  ways: readonly MigrationPath[],
  before: LayoutRow,
  internal: IDBDatabase,
  database: string,
): Promise<void> {
  const row: LayoutRow = {
    versions: {
      ...before.versions,
      ...Object.fromEntries(ways.map(({ collection, to }) => [collection, to])),
    },
    connected: before.connected,
    leftovers: [...before.leftovers, ...ways.flatMap((way) => leftBy(database, way, before))],
  }
  return written(internal, INTERNAL_DOCS, (docs) => {
    for (const { collection, from } of ways) docs.delete(rowOfCollection(collection, from))
    docs.put(storedRow(row))
  })
}
