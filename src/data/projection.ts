/**
 * A small part of every document of a collection, in memory. The documents are read once, in bulk and past RxDB's query
 * cache, which would hold them whole; from then on the change events (those of other tabs included) keep the part true.
 *
 *     listening ─→ bulk read ─→ events that came meanwhile ─→ given, and again with every event
 */
import type { Table } from 'dexie'
import type { RxCollection } from 'rxdb/plugins/core'
import { Observable } from 'rxjs'

/** Documents per read: enough to be quick, few enough that no frame waits for it. */
const BULK = 300

/**
 * @param project the part of a document; null where it has none
 * @returns the parts by key. The map is the same one each time; what is given is told anew.
 */
export function projection$<R, P>(
  collection: RxCollection<R>,
  project: (doc: R) => P | null,
): Observable<{ parts: ReadonlyMap<string, P> }> {
  return new Observable<{ parts: ReadonlyMap<string, P> }>((subscriber) => {
    const parts = new Map<string, P>()
    /** What changed during the first read, which does not know of it. */
    let early: (() => void)[] | null = []
    let telling = false
    const tell = () => {
      if (telling || early) return
      telling = true
      queueMicrotask(() => {
        telling = false
        subscriber.next({ parts })
      })
    }
    const put = (key: string, doc: R | null) => {
      const part = doc && project(doc)
      if (part === null) parts.delete(key)
      else parts.set(key, part)
    }
    const events = collection.$.subscribe({
      next: ({ documentId, operation, documentData }) => {
        const apply = () => put(documentId, operation === 'DELETE' ? null : documentData)
        if (early) early.push(apply)
        else apply()
        tell()
      },
      complete: () => subscriber.complete(),
    })
    readAll(collection, put).then(
      () => {
        for (const apply of early ?? []) apply()
        early = null
        tell()
      },
      // a database that was closed meanwhile (logout) has nothing to tell
      (error: unknown) => (collection.closed ? subscriber.complete() : subscriber.error(error)),
    )
    return () => events.unsubscribe()
  })
}

/** By key, which no index that RxDB's queries use begins with: they would read all documents for each bulk. */
async function readAll<R>(collection: RxCollection<R>, put: (key: string, doc: R) => void): Promise<void> {
  const internals: Promise<{ dexieTable: Table<R & { _deleted: unknown }, string> }> = collection
    .internalStorageInstance.internals as never
  const { dexieTable } = await internals
  const { primaryPath } = collection.schema
  let last: string | null = null
  for (;;) {
    const range = last === null ? dexieTable.toCollection() : dexieTable.where(primaryPath).above(last)
    const docs = await range.limit(BULK).toArray()
    for (const doc of docs) {
      last = doc[primaryPath as keyof R] as string
      if (doc._deleted !== '1' && doc._deleted !== true) put(last, doc)
    }
    if (docs.length < BULK) return
  }
}
