/**
 * A small part of every document of a collection, in memory. The documents are read once, in bulk and without
 * RxDB's query cache, which would hold whole documents. Change events, also from other tabs, then update the
 * parts.
 *
 *     subscribe ─→ bulk read ─→ apply events from meanwhile ─→ emit, and again on every event
 */
import type { RxCollection } from 'rxdb/plugins/core'
import { Observable } from 'rxjs'
import { lasting } from './restart-failed-queries.ts'
import { scanDocs, type Scanning } from './scan-docs.ts'

/**
 * Emits the parts by key after every change. It is always the same Map object.
 * @param project the part of a document; null leaves the document out
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
    /** Changes that arrive during the bulk read, which may have passed their documents already. */
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

/** Returns a function that runs `run` at most once per task, at its end. */
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
