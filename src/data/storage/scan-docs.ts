/**
 * Every document of a collection, or of a range of its keys, once, in bulk and by key: by no index that RxDB's queries use, for those begin otherwise
 * and would read all documents for each bulk. In: a collection. Out: its documents, in parts.
 */
import type { RxCollection } from 'rxdb/plugins/core'
import { answers, DeviceInternals } from './docs-table.ts'
import { docOf, type Row } from './row-codec.ts'

/** Documents per read: enough to be quick, few enough that no frame waits for it. */
const BULK = 300

/** Primary keys: from the first on, up to the second. */
export interface KeyRange {
  from: string
  before: string
}

/** By RxDB's own queries where the storage is another than this folder's. */
export function scanDocs<R>(collection: RxCollection<R>, keys?: KeyRange): AsyncGenerator<R[]> {
  const { internals } = collection.storageInstance as { internals: unknown }
  return internals instanceof DeviceInternals ? scanRows<R>(internals, keys) : scanQueries(collection, keys)
}

async function* scanRows<R>(internals: DeviceInternals, keys?: KeyRange): AsyncGenerator<R[]> {
  const ranges = await internals.ranges()
  let after = keys ? ranges.bound(keys.from, keys.before, false, true) : null
  for (;;) {
    const { transaction, docs } = await internals.begin('readonly')
    const [rows = []] = await answers<Row[]>(transaction, [docs.getAll(after, BULK)])
    const decoded = internals.codec ? await internals.codec.decode(rows) : rows
    yield decoded.map((row) => docOf<R>(row)).filter(({ _deleted }) => !_deleted)
    const last = rows.at(-1)
    if (!last || rows.length < BULK) return
    const key: unknown = last[internals.primaryPath]
    after = keys ? ranges.bound(key, keys.before, true, true) : ranges.lowerBound(key, true)
  }
}

async function* scanQueries<R>(collection: RxCollection<R>, keys?: KeyRange): AsyncGenerator<R[]> {
  const { primaryPath } = collection.schema
  const most = keys && { $lt: keys.before }
  let after: object = keys ? { $gte: keys.from } : { $gt: '' }
  for (;;) {
    const query = {
      selector: { [primaryPath]: { ...after, ...most } },
      sort: [{ [primaryPath]: 'asc' }],
      limit: BULK,
    }
    // RxDB's selector wants the record's own field names; the key's is only known at run time
    const docs = await collection.find(query as never).exec()
    yield docs.map((doc) => doc.toJSON() as R)
    const last = docs.at(-1)
    if (!last || docs.length < BULK) return
    after = { $gt: last.primary }
  }
}
