/**
 * One kind of a shared collection (`schemas/collections/shared.ts`), as if it had one to itself: asked and written by the keys of its own
 * records, and never shown a row of another kind. What is read has `rowKey` beside the record's fields.
 */
import type { MangoQuery, RxCollection } from 'rxdb/plugins/core'
import { filter, map } from 'rxjs'
import { readStored } from '#data/storage/read-stored.ts'
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

/** Every kind under its name. */
export const kindsOf = (db: Shared): SharedKinds =>
  Object.fromEntries(
    kindNames.map((kind) => [kind, sharedKind(db[sharedKinds[kind].in], kind)]),
  ) as unknown as SharedKinds

function sharedKind<R extends object>(collection: RxCollection<SharedRow>, kind: SharedKind) {
  // its rows are those of the kind, for each query is kept to their keys
  const rows = collection as unknown as RxCollection<R>
  const toRow = (record: R): R => storedRow(kind, record)
  const rowKey = (key: string) => rowKeyOf(kind, key)
  const storedQuery = (query: MangoQuery<R> = {}) => keptToKind(kind, query)
  return {
    /** The collection with all its kinds, and a query of this one in its words. */
    whole: rows,
    storedQuery,
    schema: rows.schema,
    /** Every change of a row of the kind. */
    $: rows.$.pipe(filter(({ documentId }) => isOfKind(kind, documentId))),
    find: (query?: MangoQuery<R>) => rows.find(storedQuery(query)),
    /** The same, as the store has it now: another tab's writes, too, that no event has told of yet. */
    stored: (query?: MangoQuery<R>) => readStored(rows, storedQuery(query)),
    findOne: (query?: string | MangoQuery<R>) =>
      rows.findOne(typeof query === 'string' ? rowKey(query) : storedQuery(query)),
    count: (query?: MangoQuery<R>) => rows.count(storedQuery(query)),
    /** By the records' own keys. */
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

/** A query by the record's own key becomes one by the row's, which is the index. */
function keptToKind<R>(kind: SharedKind, { selector = {}, ...rest }: MangoQuery<R>): MangoQuery<R> {
  const { from, before } = keyRange(kind)
  const { [sharedKinds[kind].key]: key, ...fields } = selector as Record<string, unknown>
  const asked = typeof key === 'string' ? { $eq: key } : (key ?? {})
  const range = Object.entries(asked).map(([operator, value]) => [operator, rowKeysOf(kind, value)])
  const kept = { $gte: from, $lt: before, ...Object.fromEntries(range) }
  return { ...rest, selector: { ...fields, rowKey: kept } } as MangoQuery<R>
}

const rowKeysOf = (kind: SharedKind, value: unknown): unknown =>
  Array.isArray(value) ? value.map((each) => rowKeyOf(kind, String(each))) : rowKeyOf(kind, String(value))
