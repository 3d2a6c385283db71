/** The RxDB database of a user, opened after login. Its name contains a hash of the user's id and of the CRM (SV4). */
import {
  createRxDatabase,
  type MangoQuery,
  type RxCollection,
  type RxDatabase,
  type RxStorage,
} from 'rxdb/plugins/core'
import { filter, map, ReplaySubject, share, type Observable } from 'rxjs'
import { cached } from '#lib/cached.ts'
import { rxSchemas, type CollectionName, type Records } from '#schemas/collections/collections.ts'
import {
  isOfKind,
  keyRange,
  kindNames,
  ownKey,
  rowKeyOf,
  sharedKinds,
  storedRow,
  type KindRecords,
  type SharedCollection,
  type SharedKind,
  type SharedRow,
} from '#schemas/collections/shared.ts'

type Collections = { [C in CollectionName]: RxCollection<Records[C]> }
/** All collections, and the kinds of records that share a collection (`kindsOf`). */
export type Database = RxDatabase<Collections> & SharedKinds

export interface OpenDatabase {
  name: string
  storage: RxStorage<unknown, unknown>
  multiInstance: boolean
  schemas?: typeof rxSchemas
}

/** Opens stores that already have this version's schemas (`open-stores.ts` checks this). Never migrates. */
export async function openDatabase(options: OpenDatabase): Promise<Database> {
  const { name, storage, multiInstance, schemas = rxSchemas } = options
  const db = await createRxDatabase<Collections>({ name, storage, multiInstance, eventReduce: true })
  const names = Object.keys(schemas) as CollectionName[]
  const definitions = names.map((collection) => [
    collection,
    // RxDB does not migrate, because a failure would leave a mix of two versions (decisions/updates).
    { schema: schemas[collection], autoMigrate: false },
  ])
  try {
    await db.addCollections(Object.fromEntries(definitions))
  } catch (error) {
    await db.close()
    throw error
  }
  return Object.assign(db, kindsOf(db))
}

/** Shares a live query between all screens. It runs until the database closes: a new screen gets the value at once. */
export function perDatabase<T>(query: (db: Database) => Observable<T>): (db: Database) => Observable<T> {
  const known = new WeakMap<Database, Observable<T>>()
  const options = {
    connector: () => new ReplaySubject<T>(1),
    resetOnRefCountZero: false,
    resetOnComplete: false,
  }
  return (db) => cached(known, db, () => query(db).pipe(share(options)))
}

type Shared = { readonly [C in SharedCollection]: RxCollection<SharedRow> }
type SharedKinds = { readonly [K in SharedKind]: SharedView<KindRecords[K]> }
type SharedView<R extends object> = ReturnType<typeof sharedKind<R>>

/** Returns the interfaces of all kinds. The cast is needed because `Object.fromEntries` loses the names. */
const kindsOf = (db: Shared): SharedKinds =>
  Object.fromEntries(
    kindNames.map((kind) => [kind, sharedKind(db[sharedKinds[kind].in], kind)]),
  ) as unknown as SharedKinds

/**
 * One kind of records in a collection that several kinds share (`schemas/collections/shared.ts`), with the interface of
 * a collection of its own. Queries and writes use the records' own keys and cannot touch other kinds. Records that are
 * read have an additional field `rowKey`.
 */
function sharedKind<R extends object>(collection: RxCollection<SharedRow>, kind: SharedKind) {
  // RxDB types a collection by all its rows. Every query below finds only rows of this kind.
  const rows = collection as unknown as RxCollection<R>
  const toRow = (record: R): R => storedRow(kind, record)
  const rowKey = (key: string) => rowKeyOf(kind, key)
  const storedQuery = (query: MangoQuery<R> = {}) => limitedToKind(kind, query)
  return {
    /** The RxCollection of all kinds, for code that queries it directly; `storedQuery` limits a query to this kind. */
    whole: rows,
    storedQuery,
    schema: rows.schema,
    $: rows.$.pipe(filter(({ documentId }) => isOfKind(kind, documentId))),
    find: (query?: MangoQuery<R>) => rows.find(storedQuery(query)),
    findOne: (query?: string | MangoQuery<R>) =>
      rows.findOne(typeof query === 'string' ? rowKey(query) : storedQuery(query)),
    count: (query?: MangoQuery<R>) => rows.count(storedQuery(query)),
    findByIds(keys: string[]) {
      const query = rows.findByIds(keys.map(rowKey))
      return {
        exec: async () => byOwnKey(kind, await query.exec()),
        $: query.$.pipe(map((found) => byOwnKey(kind, found))),
      }
    },
    insert: (record: R) => rows.insert(toRow(record)),
    insertIfNotExists: (record: R) => rows.insertIfNotExists(toRow(record)),
    upsert: (record: R) => rows.upsert(toRow(record)),
    bulkInsert: (records: readonly R[]) => rows.bulkInsert(records.map(toRow)),
    bulkUpsert: (records: readonly R[]) => rows.bulkUpsert(records.map(toRow)),
    bulkRemove: (keys: readonly string[]) => rows.bulkRemove(keys.map(rowKey)),
  }
}

const byOwnKey = <D>(kind: SharedKind, found: ReadonlyMap<string, D>): Map<string, D> =>
  new Map([...found].map(([key, doc]) => [ownKey(kind, key), doc]))

/** Limits a query to one kind. Conditions on the record's key become conditions on the row key, which is indexed. */
function limitedToKind<R>(kind: SharedKind, { selector = {}, ...rest }: MangoQuery<R>): MangoQuery<R> {
  const { from, before } = keyRange(kind)
  const { [sharedKinds[kind].key]: key, ...fields } = selector as Record<string, unknown>
  const condition = typeof key === 'string' ? { $eq: key } : (key ?? {})
  const range = Object.entries(condition).map(([operator, value]) => [operator, rowKeysOf(kind, value)])
  const onRowKey = { $gte: from, $lt: before, ...Object.fromEntries(range) }
  return { ...rest, selector: { ...fields, rowKey: onRowKey } } as MangoQuery<R>
}

const rowKeysOf = (kind: SharedKind, value: unknown): unknown =>
  Array.isArray(value) ? value.map((each) => rowKeyOf(kind, String(each))) : rowKeyOf(kind, String(value))
