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
import { clearFields } from '../storage/clear-fields.ts'
import type { CodecFor, Row as CodedRow } from '../storage/row-codec.ts'
import { deleteDatabase, done, openNew, openThere, readAll, written } from './idb.ts'
import { movedKey, strayRow, type Way } from './moved-document.ts'
import {
  INTERNAL_DOCS,
  internalName,
  LAYOUT_ROW,
  rowOf,
  rowOfCollection,
  storedRow,
  storeName,
  type LayoutRow,
} from './stored-layout.ts'
import { DEXIE_VERSION, makeTables } from './tables.ts'
import { leftBy, storesOf, waysOf, type Layout, type Row, type StoreMove } from './ways.ts'

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
    const { ways, strays, row } = await waysOf(internal, migration)
    await clearTargets(ways, row, migration)
    for (const way of ways) await copyCollection(way, row, migration)
    if (ways.length > 0) await switchTo(ways, row, internal, database)
    for (const way of strays) await takeStray(way, internal, migration)
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
    const { ways, row } = await waysOf(internal, migration)
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
async function clearTargets(ways: readonly Way[], row: LayoutRow, { indexedDB, database }: Migration) {
  const targets = ways.flatMap((way) => storesOf(database, way, row).map(({ to }) => to))
  for (const target of new Set(targets)) await deleteDatabase(indexedDB, target)
}

/** Several may go into one. */
async function copyCollection(way: Way, row: LayoutRow, migration: Migration): Promise<void> {
  const { indexedDB, database } = migration
  for (const { from, to, primaryKey, indexes, move } of storesOf(database, way, row)) {
    const copy = await openOrMake(indexedDB, to, (db) => makeTables(db, primaryKey, indexes))
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

const openOrMake = async (indexedDB: IDBFactory, name: string, make: (db: IDBDatabase) => void) =>
  (await openThere(indexedDB, name)) ?? (await openNew(indexedDB, name, DEXIE_VERSION, make))

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

/**
 * A version of the app that knows nothing of all this was put back for a while, and saved into stores of its own: what is
 * unsent there goes into the stores that hold, document by document; done twice it changes nothing.
 */
async function takeStray(way: Way, internal: IDBDatabase, migration: Migration): Promise<void> {
  const { indexedDB, database } = migration
  const { collection, from, to, into, schema } = way
  const stray = storeName(database, from, collection)
  const target = storeName(database, into.version, into.collection)
  const makeEmpty = (db: IDBDatabase) => makeTables(db, schema.primaryKey, schema.indexes)
  const held = await openOrMake(indexedDB, target, makeEmpty)
  try {
    await eachPiece(migration, stray, async (stored, primary) => {
      const rows = await codecOf(migration, stray, primary).decode(stored)
      const codec = codecOf(migration, target, schema.primaryKey, schema.indexes)
      const docs = held.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS)
      const known: unknown[] = await readAll(rows.map((row) => docs.get(movedKey(row, way))))
      const there = await codec.decode(known.filter((row) => row !== undefined))
      const knownOf = new Map(there.map((row) => [row[schema.primaryKey], row]))
      const taken = rows
        .map((row) => strayRow(row, knownOf.get(movedKey(row, way)), way))
        .filter((row) => row !== null)
      const encoded = await codec.encode(taken)
      await written(held, INTERNAL_DOCS, (store) => encoded.forEach((row) => store.put(row)))
    })
  } finally {
    held.close()
  }
  const row = rowOf(
    await done(internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS).get(LAYOUT_ROW)),
  )
  await written(internal, INTERNAL_DOCS, (docs) => {
    docs.delete(rowOfCollection(collection, from))
    docs.put(
      storedRow({
        ...row,
        versions: { ...row.versions, [collection]: to },
        leftovers: [...new Set([...row.leftovers, stray])],
      }),
    )
  })
}

/**
 * Where RxDB has just made the stores of this version: says so to a version from before, which knows nothing of the shared
 * collections, and would otherwise find the queue without its ledger.
 */
export async function markMoved(
  indexedDB: IDBFactory,
  database: string,
  { moved }: Pick<Layout, 'moved'>,
): Promise<void> {
  const internal = await openThere(indexedDB, internalName(database))
  if (!internal) return
  try {
    const row = rowOf(
      await done(internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS).get(LAYOUT_ROW)),
    )
    const marks = Object.entries(moved).map(([name, { version }]) => [name, version])
    const versions = { ...Object.fromEntries(marks), ...row.versions }
    await written(internal, INTERNAL_DOCS, (docs) => docs.put(storedRow({ ...row, versions })))
  } finally {
    internal.close()
  }
}

/** From here on the new stores hold: one transaction, on disk when it resolves. */
function switchTo(
  ways: readonly Way[],
  before: LayoutRow,
  internal: IDBDatabase,
  database: string,
): Promise<void> {
  const held = ways.flatMap(({ collection, to, into }) => [
    [collection, to],
    [into.collection, into.version],
  ])
  const row: LayoutRow = {
    versions: { ...before.versions, ...Object.fromEntries(held) },
    connected: before.connected,
    leftovers: [...before.leftovers, ...ways.flatMap((way) => leftBy(database, way, before))],
  }
  return written(internal, INTERNAL_DOCS, (docs) => {
    for (const { collection, from } of ways) docs.delete(rowOfCollection(collection, from))
    docs.put(storedRow(row))
  })
}
