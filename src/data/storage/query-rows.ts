/**
 * Reading by key and by query, in pieces and not by a cursor, document by document: RxDB's plan, matcher and order. A piece
 * is small enough that no frame waits for it. In: what RxDB has prepared. Out: documents.
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
import { answers, type DeviceInternals } from './docs-table.ts'
import { docOf, type Row } from './row-codec.ts'

const PIECE = 60

/** Those that are there, in the order of the keys. */
export async function docsByKey<R>(
  internals: DeviceInternals,
  keys: readonly string[],
): Promise<RxDocumentData<R>[]> {
  if (keys.length === 0) return []
  const { transaction, docs } = await internals.begin('readonly')
  const found: (Row | undefined)[] = await answers(
    transaction,
    keys.map((key) => docs.get(key)),
  )
  const rows = found.filter((row) => row !== undefined)
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
  // without a matcher each one that is read is found; 0 would mean all
  const left = () =>
    matches || !sortSatisfiedByIndex ? PIECE : Math.min(PIECE, Math.max(end - found.length, 1))
  const isEnough = () => sortSatisfiedByIndex && found.length >= end
  await eachPiece({ internals, queryPlan, left, take, isEnough })
  if (!sortSatisfiedByIndex) found.sort(getSortComparator(schema, query))
  return found.slice(skip, end)
}

interface Pieces {
  internals: DeviceInternals
  queryPlan: RxQueryPlan
  /** How many to read next. */
  left(): number
  take(rows: readonly Row[]): void
  isEnough(): boolean
}

/**
 * In one transaction, so that it is one moment's state. With a codec, during whose work a transaction ends, each piece has
 * its own: RxDB applies to what a query found the events that came since it was asked.
 */
async function eachPiece({ internals, queryPlan, left, take, isEnough }: Pieces): Promise<void> {
  const { codec } = internals
  const ranges = await internals.ranges()
  let range = keyRange(() => getKeyRangeByQueryPlan(['_deleted'], queryPlan, ranges) as IDBKeyRange)
  const { upper, upperOpen } = range ?? {}
  let begun = range && (await internals.begin('readonly'))
  while (range && begun) {
    const index = begun.docs.index(`[${queryPlan.index.join('+')}]`)
    const limit = left()
    const [piece = []] = await answers<Row[]>(begun.transaction, [index.getAll(range, limit)])
    take(codec ? await internals.decode(piece) : piece)
    const last = piece.at(-1)
    if (!last || piece.length < limit || isEnough()) return
    // all indexes end with the key: no two documents have the same place
    const place = queryPlan.index.map((field) => valueAt(last, field))
    range = keyRange(() => ranges.bound(place, upper, true, upperOpen))
    if (codec) begun = await internals.begin('readonly')
  }
}

/** Null where no document can be meant. */
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
