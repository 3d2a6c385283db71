/**
 * Every document of a collection, once, in bulk and by key: by no index that RxDB's queries use, for those begin otherwise
 * and would read all documents for each bulk. In: a collection. Out: its documents, in parts.
 */
import type { RxCollection } from 'rxdb/plugins/core'
import { answers, DeviceInternals } from './docs-table.ts'
import { docOf, type Row } from './row-codec.ts'

/** Documents per read: enough to be quick, few enough that no frame waits for it. */
const BULK = 300

/** By RxDB's own queries where the storage is another than this folder's. */
export function scanDocs<R>(collection: RxCollection<R>): AsyncGenerator<R[]> {
  const { internals } = collection.storageInstance as { internals: unknown }
  return internals instanceof DeviceInternals ? scanRows<R>(internals) : scanQueries(collection)
}

async function* scanRows<R>(internals: DeviceInternals): AsyncGenerator<R[]> {
  const ranges = await internals.ranges()
  let after: IDBKeyRange | null = null
  for (;;) {
    const { transaction, docs } = await internals.begin('readonly')
    const [rows = []] = await answers<Row[]>(transaction, [docs.getAll(after, BULK)])
    const decoded = internals.codec ? await internals.codec.decode(rows) : rows
    yield decoded.map((row) => docOf<R>(row)).filter(({ _deleted }) => !_deleted)
    const last = rows.at(-1)
    if (!last || rows.length < BULK) return
    after = ranges.lowerBound(last[internals.primaryPath], true)
  }
}

async function* scanQueries<R>(collection: RxCollection<R>): AsyncGenerator<R[]> {
  const { primaryPath } = collection.schema
  let after = ''
  for (;;) {
    const query = {
      selector: { [primaryPath]: { $gt: after } },
      sort: [{ [primaryPath]: 'asc' }],
      limit: BULK,
    }
    // RxDB's selector wants the record's own field names; the key's is only known at run time
    const docs = await collection.find(query as never).exec()
    yield docs.map((doc) => doc.toJSON() as R)
    const last = docs.at(-1)
    if (!last || docs.length < BULK) return
    after = last.primary
  }
}
