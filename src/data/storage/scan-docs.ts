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

export interface Scanning {
  keys?: KeyRange | undefined
  /** Only what lies in clear is asked for: no codec reads the rows. */
  isOfClear?: boolean
  /** Documents that are not given: they are known as of this revision. */
  isKnown?: ((key: string, rev: string) => boolean) | undefined
}

/** Some of the documents that are there, by key, and those of them that are given. */
export interface Scanned<R> {
  keys: readonly string[]
  docs: readonly (readonly [key: string, doc: R])[]
}

/** By RxDB's own queries where the storage is another than this folder's. */
export function scanDocs<R>(
  collection: RxCollection<R>,
  scanning: Scanning = {},
): AsyncGenerator<Scanned<R>> {
  const { internals } = collection.storageInstance as { internals: unknown }
  return internals instanceof DeviceInternals
    ? scanRows<R>(internals, scanning)
    : scanQueries(collection, scanning)
}

async function* scanRows<R>(
  internals: DeviceInternals,
  { keys, isOfClear = false, isKnown = () => false }: Scanning,
): AsyncGenerator<Scanned<R>> {
  const { codec, primaryPath } = internals
  const ranges = await internals.ranges()
  const keyOf = (row: Row) => String(row[primaryPath])
  let after = keys ? ranges.bound(keys.from, keys.before, false, true) : null
  for (;;) {
    const from = after
    const rows = await internals.again(async () => {
      const { transaction, docs } = await internals.begin('readonly')
      const [piece = []] = await answers<Row[]>(transaction, [docs.getAll(from, BULK)])
      return piece
    })
    const there = rows.filter(({ _deleted }) => _deleted !== '1')
    // the revision lies in clear
    const wanted = there.filter((row) => !isKnown(keyOf(row), String(row['_rev'])))
    const decoded = codec && !isOfClear ? await codec.decode(wanted) : wanted
    const believed = new Set(decoded.map(keyOf))
    const unbelieved = new Set(wanted.map(keyOf).filter((key) => !believed.has(key)))
    yield {
      keys: there.map(keyOf).filter((key) => !unbelieved.has(key)),
      docs: decoded.map((row) => [keyOf(row), docOf<R>(row)]),
    }
    const last = rows.at(-1)
    if (!last || rows.length < BULK) return
    const key: unknown = last[primaryPath]
    after = keys ? ranges.bound(key, keys.before, true, true) : ranges.lowerBound(key, true)
  }
}

async function* scanQueries<R>(
  collection: RxCollection<R>,
  { keys, isKnown = () => false }: Scanning,
): AsyncGenerator<Scanned<R>> {
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
    const wanted = docs.filter(({ primary, revision }) => !isKnown(primary, revision))
    yield {
      keys: docs.map(({ primary }) => primary),
      docs: wanted.map((doc) => [doc.primary, doc.toJSON(true) as R]),
    }
    const last = docs.at(-1)
    if (!last || docs.length < BULK) return
    after = { $gt: last.primary }
  }
}
