/**
 * Reads documents by query. RxDB provides the query plan, matcher and sort order. Rows are read in batches
 * that are too small to delay a frame.
 */
import {
  getQueryMatcher,
  getSortComparator,
  type PreparedQuery,
  type RxDocumentData,
  type RxJsonSchema,
  type RxQueryPlan,
} from 'rxdb/plugins/core'
import { getKeyRangeByQueryPlan } from 'rxdb/plugins/storage-dexie'
import { type DeviceInternals, docOf, type Row } from './docs-table.ts'

const PIECE = 60

/**
 * Reads the rows of a query plan in batches. Each batch needs its own transaction, because a transaction ends while the
 * codec works. RxDB then applies the events since the query began.
 */
export async function queriedDocs<R>(
  internals: DeviceInternals,
  schema: Readonly<RxJsonSchema<RxDocumentData<R>>>,
  { query, queryPlan }: PreparedQuery<R>,
): Promise<RxDocumentData<R>[]> {
  const { selectorSatisfiedByIndex, sortSatisfiedByIndex } = queryPlan
  const skip = query.skip ?? 0
  const end = skip + (query.limit ?? Infinity)
  const matches = selectorSatisfiedByIndex ? () => true : getQueryMatcher(schema, query)
  const found: RxDocumentData<R>[] = []
  let range = rangeOf(internals, queryPlan)
  const { upper, upperOpen } = range ?? {}
  while (range) {
    // If every row is a result, only the rows that are still needed are read. At least one is read, because `getAll`
    // takes 0 as no limit.
    const areAllFound = selectorSatisfiedByIndex && sortSatisfiedByIndex
    const limit = areAllFound ? Math.min(PIECE, Math.max(end - found.length, 1)) : PIECE
    const rest = range
    const piece: Row[] = await internals.readOne((docs) => indexOf(docs, queryPlan).getAll(rest, limit))
    const docs = (await internals.decode(piece)).map((row) => docOf<R>(row))
    found.push(...docs.filter((doc) => matches(doc)))
    const last = piece.at(-1)
    if (!last || piece.length < limit || (sortSatisfiedByIndex && found.length >= end)) break
    // The next batch begins after this row's index value, which is unique because every index ends with the primary
    // key.
    const place = queryPlan.index.map((field) => valueAt(last, field))
    range = keyRange(() => internals.ranges.bound(place, upper, true, upperOpen))
  }
  if (!sortSatisfiedByIndex) found.sort(getSortComparator(schema, query))
  return found.slice(skip, end)
}

/** Counts the rows of a query that an index answers. */
export async function countedRows(internals: DeviceInternals, queryPlan: RxQueryPlan): Promise<number> {
  const range = rangeOf(internals, queryPlan)
  return range ? internals.readOne((docs) => indexOf(docs, queryPlan).count(range)) : 0
}

const indexOf = (docs: IDBObjectStore, { index }: RxQueryPlan) => docs.index(`[${index.join('+')}]`)

const rangeOf = ({ ranges }: DeviceInternals, queryPlan: RxQueryPlan) =>
  keyRange(() => getKeyRangeByQueryPlan(['_deleted'], queryPlan, ranges) as IDBKeyRange)

/** Returns the range of keys to read; null if no key can lie in the range. */
function keyRange(make: () => IDBKeyRange): IDBKeyRange | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof Error && error.name === 'DataError') return null
    throw error
  }
}

const valueAt = (row: Row, path: string): IDBValidKey =>
  path.split('.').reduce<unknown>((value, name) => (value as Row)[name], row) as IDBValidKey
