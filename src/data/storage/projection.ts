/**
 * A small part of every document of a collection, in memory. The documents are read once, in bulk and past RxDB's query
 * cache, which would hold them whole; from then on the change events (those of other tabs included) keep the part true.
 *
 *     listening ─→ bulk read ─→ events that came meanwhile ─→ given, and again with every event
 */
import type { RxCollection } from 'rxdb/plugins/core'
import { Observable } from 'rxjs'
import { lasting } from './restart-failed-queries.ts'
import { scanDocs, type Scanning } from './scan-docs.ts'

/**
 * @param project the part of a document; null where it has none
 * @returns the parts by key, given anew with every change. The map is the same one each time.
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
    /** Changes during the bulk read, which may have passed their documents already. */
    let early: (() => void)[] | null = []
    const tellSoon = onceInTask(() => subscriber.next({ parts }))
    const { keys } = scanning
    const events = collection.$.subscribe({
      next: ({ documentId, operation, documentData }) => {
        if (keys && (documentId < keys.from || documentId >= keys.before)) return
        const apply = () => put(documentId, operation === 'DELETE' ? null : documentData)
        if (early) return void early.push(apply)
        apply()
        tellSoon()
      },
    })
    const readAll = async () => {
      for await (const piece of scanDocs(collection, scanning)) for (const [key, doc] of piece) put(key, doc)
      for (const apply of early ?? []) apply()
      early = null
      tellSoon()
    }
    readAll().catch((error: unknown) => subscriber.error(error))
    return () => events.unsubscribe()
  }).pipe(lasting(collection))
}

/** However often it is asked for in one task, it runs once, at its end. */
function onceInTask(run: () => void): () => void {
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    queueMicrotask(() => {
      isAsked = false
      run()
    })
  }
}
