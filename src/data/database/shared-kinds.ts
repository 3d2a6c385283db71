/**
 * One kind of records in a collection that several kinds share (`schemas/collections/shared.ts`), with the interface of
 * a collection of its own. Queries and writes use the records' own keys and cannot touch other kinds. Records that are
 * read have an additional field `rowKey`.
 */
import type { MangoQuery, RxCollection } from 'rxdb/plugins/core'
import { filter, map } from 'rxjs'
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

type Shared = { readonly [C in SharedCollection]: RxCollection<SharedRow> }
export type SharedKinds = { readonly [K in SharedKind]: SharedView<KindRecords[K]> }
type SharedView<R extends object> = ReturnType<typeof sharedKind<R>>

/** Returns the interfaces of all kinds. The cast is needed because `Object.fromEntries` loses the names. */
export const kindsOf = (db: Shared): SharedKinds =>
  Object.fromEntries(
    kindNames.map((kind) => [kind, sharedKind(db[sharedKinds[kind].in], kind)]),
  ) as unknown as SharedKinds

function sharedKind<R extends object>(collection: RxCollection<SharedRow>, kind: SharedKind) {
  // RxDB types a collection by all its rows. Every query below finds only rows of this kind.
  const rows = collection as unknown as RxCollection<R>
  const toRow = (record: R): R => storedRow(kind, record)
  const rowKey = (key: string) => rowKeyOf(kind, key)
  const storedQuery = (query: MangoQuery<R> = {}) => limitedToKind(kind, query)
  return {
    /**
     * The RxCollection of all kinds, for code that queries it directly. `storedQuery` limits such a query to this kind.
     */
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
