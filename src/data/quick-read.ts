/**
 * The queries of RxDB's Dexie storage, read in pieces and not by a cursor, document by document: the same plan, the same
 * matcher, the same order. A piece is small enough that no frame waits for it.
 */
import { getQueryMatcher, getSortComparator, type RxDocumentData } from 'rxdb/plugins/core'
import { getKeyRangeByQueryPlan, type RxStorageInstanceDexie } from 'rxdb/plugins/storage-dexie'
import { beginOnDocs } from './dexie-docs.ts'

const PIECE = 60

/** As it lies there: `_deleted` is written otherwise, for booleans cannot be indexed. */
type Stored = { _deleted: unknown } & Record<string, unknown>

/** Lets `instance` read this way. Schemas with other booleans in an index are left to Dexie; the app has none. */
export function readQuickly<R>(instance: RxStorageInstanceDexie<R>): void {
  const byCursor = instance.query.bind(instance)
  instance.query = async (prepared) => {
    const { query, queryPlan } = prepared
    const { dexieDb, booleanIndexes } = await instance.internals
    const ranges = (dexieDb._options.IDBKeyRange ?? IDBKeyRange) as typeof IDBKeyRange
    const range = keyRange(() => getKeyRangeByQueryPlan(booleanIndexes, queryPlan, ranges))
    const begun = booleanIndexes.some((field) => field !== '_deleted')
      ? null
      : beginOnDocs(dexieDb, 'readonly')
    if (!range || !begun) return byCursor(prepared)
    const end = query.skip + (query.limit ?? Infinity)
    const matches = queryPlan.selectorSatisfiedByIndex ? null : getQueryMatcher(instance.schema, query)
    const found: RxDocumentData<R>[] = []
    // without a matcher each one that is read is found; 0 would mean all
    const left = () =>
      matches || !queryPlan.sortSatisfiedByIndex ? PIECE : Math.min(PIECE, Math.max(end - found.length, 1))
    const take = (piece: Stored[]) => {
      for (const stored of piece) {
        const doc = { ...stored, _deleted: stored._deleted === '1' } as RxDocumentData<R>
        if (!matches || matches(doc)) found.push(doc)
      }
      const last = piece.at(-1)
      if (!last || piece.length < PIECE || (queryPlan.sortSatisfiedByIndex && found.length >= end))
        return null
      // all indexes end with the key: no two documents have the same place
      const place = queryPlan.index.map((field) => valueAt(last, field))
      return keyRange(() => ranges.bound(place, range.upper, true, range.upperOpen))
    }
    await pieces({ index: begun.docs.index(`[${queryPlan.index.join('+')}]`), range, left, take })
    if (!queryPlan.sortSatisfiedByIndex) found.sort(getSortComparator(instance.schema, query))
    return { documents: found.slice(query.skip, end) }
  }
}

/** Null where no document can be meant. */
function keyRange(make: () => IDBKeyRange): IDBKeyRange | null {
  try {
    return make()
  } catch {
    return null
  }
}

const valueAt = (doc: Stored, path: string): IDBValidKey =>
  path.split('.').reduce<unknown>((value, name) => (value as Stored)[name], doc) as IDBValidKey

interface Pieces {
  index: IDBIndex
  range: IDBKeyRange
  left(): number
  /** Where the next piece is; null at the end. */
  take(piece: Stored[]): IDBKeyRange | null
}

const pieces = ({ index, range, left, take }: Pieces) =>
  new Promise<void>((resolve, reject) => {
    const lost = () =>
      reject(
        (index.objectStore.transaction.error ??
          new DOMException('The connection was lost', 'AbortError')) as Error,
      )
    index.objectStore.transaction.addEventListener('abort', lost)
    const read = (from: IDBKeyRange) => {
      const request: IDBRequest<Stored[]> = index.getAll(from, left())
      request.addEventListener('success', () => {
        try {
          const next = take(request.result)
          if (next) read(next)
          else resolve()
        } catch (error) {
          reject(error as Error)
        }
      })
    }
    read(range)
  })
