/**
 * Reads documents by key and by query. RxDB provides the query plan, matcher and sort order. Rows are read in batches
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
import { resultsIn, type DeviceInternals, docOf, type Row } from './docs-table.ts'

const PIECE = 60

/** Returns the existing documents with these keys, in the order of the keys. */
export async function docsByKey<R>(
  internals: DeviceInternals,
  keys: readonly string[],
): Promise<RxDocumentData<R>[]> {
  if (keys.length === 0) return []
  const { transaction, docs } = await internals.begin('readonly')
  const reading = keys.map((key): IDBRequest<Row | undefined> => docs.get(key))
  const rows = (await resultsIn(transaction, reading)).filter((row) => row !== undefined)
  return (internals.codec ? await internals.decode(rows) : rows).map((row) => docOf<R>(row))
}

export async function queriedDocs<R>(
  internals: DeviceInternals,
  schema: Readonly<RxJsonSchema<RxDocumentData<R>>>,
  { query, queryPlan }: PreparedQuery<R>,
): Promise<RxDocumentData<R>[]> {
  const { selectorSatisfiedByIndex, sortSatisfiedByIndex } = queryPlan
  const skip = query.skip ?? 0
  const end = skip + (query.limit ?? Infinity)
  const matches = selectorSatisfiedByIndex ? null : getQueryMatcher(schema, query)
  const found: RxDocumentData<R>[] = []
  const take = (rows: readonly Row[]) => {
    for (const row of rows) {
      const doc = docOf<R>(row)
      if (!matches || matches(doc)) found.push(doc)
    }
  }
  // Without a matcher every row is a result, so that only the rows that are still needed are read. At least one is
  // read, because `getAll` takes 0 as no limit.
  const pieceSize = () =>
    matches || !sortSatisfiedByIndex ? PIECE : Math.min(PIECE, Math.max(end - found.length, 1))
  const isEnough = () => sortSatisfiedByIndex && found.length >= end
  await eachPiece({ internals, queryPlan, pieceSize, take, isEnough })
  if (!sortSatisfiedByIndex) found.sort(getSortComparator(schema, query))
  return found.slice(skip, end)
}

/** Counts the rows of a query that an index answers. */
export async function countedRows(internals: DeviceInternals, queryPlan: RxQueryPlan): Promise<number> {
  const range = rangeOf(internals, queryPlan)
  if (!range) return 0
  const { transaction, docs } = await internals.begin('readonly')
  const [count = 0] = await resultsIn(transaction, [indexOf(docs, queryPlan).count(range)])
  return count
}

const indexOf = (docs: IDBObjectStore, { index }: RxQueryPlan) => docs.index(`[${index.join('+')}]`)

const rangeOf = ({ ranges }: DeviceInternals, queryPlan: RxQueryPlan) =>
  keyRange(() => getKeyRangeByQueryPlan(['_deleted'], queryPlan, ranges) as IDBKeyRange)

interface Pieces {
  internals: DeviceInternals
  queryPlan: RxQueryPlan
  pieceSize(): number
  take(rows: readonly Row[]): void
  isEnough(): boolean
}

/**
 * Passes the rows of a query plan to `take` in batches. Without a codec, one transaction reads all batches, so that
 * they are consistent. With a codec, each batch needs its own transaction, because a transaction ends while the codec
 * works; RxDB then applies the events since the query began.
 */
async function eachPiece({ internals, queryPlan, pieceSize, take, isEnough }: Pieces): Promise<void> {
  const { codec } = internals
  const { ranges } = internals
  let range = rangeOf(internals, queryPlan)
  const { upper, upperOpen } = range ?? {}
  let begun = range && (await internals.begin('readonly'))
  while (range && begun) {
    const index = indexOf(begun.docs, queryPlan)
    const limit = pieceSize()
    const [piece = []] = await resultsIn<Row[]>(begun.transaction, [index.getAll(range, limit)])
    take(codec ? await internals.decode(piece) : piece)
    const last = piece.at(-1)
    if (!last || piece.length < limit || isEnough()) return
    // The next batch begins after this row's index value, which is unique because every index ends with the primary
    // key.
    const place = queryPlan.index.map((field) => valueAt(last, field))
    range = keyRange(() => ranges.bound(place, upper, true, upperOpen))
    if (codec) begun = await internals.begin('readonly')
  }
}

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
