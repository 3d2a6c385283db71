/**
 * A small part of every document of a collection, in memory. The documents are read once, in bulk and past RxDB's query
 * cache, which would hold them whole; from then on the change events (those of other tabs included) keep the part true.
 *
 *     listening ─→ bulk read ─→ events that came meanwhile ─→ given, and again with every event
 */
import type { RxCollection } from 'rxdb/plugins/core'
import { Observable } from 'rxjs'
import { scanDocs, type KeyRange } from './scan-docs.ts'

/**
 * @param project the part of a document; null where it has none
 * @param keys only these documents
 * @returns the parts by key. The map is the same one each time; what is given is told anew.
 */
export function projection$<R, P>(
  collection: RxCollection<R>,
  project: (doc: R) => P | null,
  keys?: KeyRange,
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
        if (keys && (documentId < keys.from || documentId >= keys.before)) return
        const apply = () => put(documentId, operation === 'DELETE' ? null : documentData)
        if (early) early.push(apply)
        else apply()
        tell()
      },
      complete: () => subscriber.complete(),
    })
    const readAll = async () => {
      for await (const docs of scanDocs(collection, keys))
        for (const doc of docs) put(doc[collection.schema.primaryPath as keyof R] as string, doc)
    }
    readAll().then(
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
