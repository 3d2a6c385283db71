/**
 * Keeps a small extract of every document of a collection in memory. The documents are read once, without RxDB's query
 * cache, which would keep whole documents. Change events, also of other tabs, then update the extracts.
 *
 *     subscribe ─→ bulk read ─→ apply events from meanwhile ─→ emit, and again on every event
 */
import type { RxCollection } from 'rxdb/plugins/core'
import { Observable } from 'rxjs'
import { lasting } from './stored-docs.ts'
import { DELETED, type DeviceInternals, docOf, type Row } from './docs-table.ts'

/**
 * Emits the extracts by key after every change, always in the same Map.
 * @param project returns the extract of a document; null leaves the document out
 */
export function projection$<R, P>(
  collection: RxCollection<R>,
  project: (doc: R) => P | null,
  scanning: Scanning = {},
): Observable<{ parts: ReadonlyMap<string, P> }> {
  return new Observable<{ parts: ReadonlyMap<string, P> }>((subscriber) => {
    const parts = new Map<string, P>()
    const put = (key: string, doc: R | null) => {
      const part = doc && project(doc)
      if (part === null) parts.delete(key)
      else parts.set(key, part)
    }
    /**
     * Changes during the first read are applied after it, because the read may contain older versions of the documents.
     */
    let early: (() => void)[] | null = []
    const emitSoon = onceInTask(() => subscriber.next({ parts }))
    const { keys } = scanning
    const events = collection.$.subscribe({
      next: ({ documentId, operation, documentData }) => {
        if (keys && (documentId < keys.from || documentId >= keys.before)) return
        const apply = () => put(documentId, operation === 'DELETE' ? null : documentData)
        if (early) return void early.push(apply)
        apply()
        emitSoon()
      },
    })
    const readAll = async () => {
      for await (const piece of scanDocs(collection, scanning)) for (const [key, doc] of piece) put(key, doc)
      for (const apply of early ?? []) apply()
      early = null
      emitSoon()
    }
    readAll().catch((error: unknown) => subscriber.error(error))
    return () => events.unsubscribe()
  }).pipe(lasting(collection))
}

/** Returns a function that calls `run` once at the end of the task, however often it is called. */
function onceInTask(run: () => void): () => void {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    queueMicrotask(() => {
      isScheduled = false
      run()
    })
  }
}

/** Number of documents per read, small enough not to delay a frame. */
const BULK = 300

/** Primary keys from `from` (inclusive) to `before` (exclusive). */
type KeyRange = { from: string; before: string }

interface Scanning {
  keys?: KeyRange
  /**
   * True if the primary keys are enough, so that no row is read. Only for collections whose schema has no indexes,
   * because RxDB gives only these the default index.
   */
  onlyKeys?: boolean
}

type Scanned<R> = readonly (readonly [key: string, doc: R])[]

/** Reads all documents of a collection, or of a range of keys, in the order of primary keys. */
export function scanDocs<R>(
  collection: RxCollection<R>,
  { keys, onlyKeys }: Scanning = {},
): AsyncGenerator<Scanned<R>> {
  const internals = collection.storageInstance.internals as DeviceInternals
  return keys && onlyKeys ? scanKeys<R>(internals, keys) : scanRows<R>(internals, keys)
}

/** Reads the keys of all documents in a range. Each document has only its primary key. */
async function* scanKeys<R>(
  internals: DeviceInternals,
  { from, before }: KeyRange,
): AsyncGenerator<Scanned<R>> {
  const { primaryPath, ranges } = internals
  const range = ranges.bound(['0', from], ['0', before], false, true)
  // RxDB's default index. Its first field is `_deleted` as text.
  const keysIn = (docs: IDBObjectStore) => docs.index(`[_deleted+${primaryPath}]`).getAllKeys(range)
  const found = await internals.again(() => internals.readOne(keysIn))
  yield (found as string[]).map((key) => [key, { [primaryPath]: key } as R] as const)
}

async function* scanRows<R>(
  internals: DeviceInternals,
  keys: KeyRange | undefined,
): AsyncGenerator<Scanned<R>> {
  const { primaryPath, ranges } = internals
  const keyOf = (row: Row) => String(row[primaryPath])
  let after = keys ? ranges.bound(keys.from, keys.before, false, true) : null
  for (;;) {
    const from = after
    const rows: Row[] = await internals.again(() => internals.readOne((docs) => docs.getAll(from, BULK)))
    const live = rows.filter(({ _deleted }) => _deleted !== DELETED)
    yield (await internals.decode(live)).map((row) => [keyOf(row), docOf<R>(row)] as const)
    const last = rows.at(-1)
    if (!last || rows.length < BULK) return
    const key: unknown = last[primaryPath]
    after = keys ? ranges.bound(key, keys.before, true, true) : ranges.lowerBound(key, true)
  }
}
