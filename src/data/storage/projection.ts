/**
 * A small part of every document of a collection, in memory. The documents are read once, in bulk and past RxDB's query
 * cache, which would hold them whole; from then on the change events (those of other tabs included) keep the part true.
 *
 *     listening ─→ bulk read ─→ events that came meanwhile ─→ given, and again with every event
 *              └─→ parts that were kept ─→ given ─→ when idle: documents whose revision is another are read
 */
import type { RxCollection } from 'rxdb/plugins/core'
import { Observable, retry, type Subscriber } from 'rxjs'
import { LATER } from './lasting-queries.ts'
import { scanDocs, type KeyRange } from './scan-docs.ts'

/** A part, and the revision of the document that it is of; '' where that is not known. */
export interface Part<P> {
  rev: string
  part: P
}

/** Where parts lie while the app is closed. */
export interface KeptParts<P> {
  /** Null where none are, or what was kept is behind. */
  read(): Promise<ReadonlyMap<string, Part<P>> | null>
  /** Resolves when the screen needs nothing: what was kept may be checked. */
  rest(): Promise<unknown>
  /** Something was written: what is kept is behind. */
  changed(): void
  /** All of them are known. @param parts as they are when it is called */
  settled(parts: () => ReadonlyMap<string, Part<P>>): void
  stop(): void
}

export interface Projecting<P> {
  /** Only these documents. */
  keys?: KeyRange
  /** The part is of what lies in clear alone: nothing is opened for it. */
  isOfClear?: boolean
  kept?: KeptParts<P> | null
}

/**
 * @param project the part of a document; null where it has none
 * @returns the parts by key. The map is the same one each time; what is given is told anew.
 */
export function projection$<R, P>(
  collection: RxCollection<R>,
  project: (doc: R) => P | null,
  options: Projecting<P> = {},
): Observable<{ parts: ReadonlyMap<string, P> }> {
  return new Observable<{ parts: ReadonlyMap<string, P> }>((subscriber) => {
    const known = createParts(project, subscriber)
    const { keys, kept } = options
    const events = collection.$.subscribe({
      next: ({ documentId, operation, documentData }) => {
        if (keys && (documentId < keys.from || documentId >= keys.before)) return
        kept?.changed()
        known.told(documentId, operation === 'DELETE' ? null : documentData)
      },
      complete: () => subscriber.complete(),
    })
    readAll(collection, known, options).catch((error: unknown) =>
      // a database that was closed meanwhile (logout) has nothing to tell
      collection.closed ? subscriber.complete() : subscriber.error(error),
    )
    return () => {
      kept?.stop()
      events.unsubscribe()
    }
  }).pipe(retry(LATER))
}

/** What is known of the documents, and how it is told. */
function createParts<R, P>(
  project: (doc: R) => P | null,
  subscriber: Subscriber<{ parts: ReadonlyMap<string, P> }>,
) {
  const parts = new Map<string, P>()
  const revs = new Map<string, string>()
  /** What changed during the first read, which does not know of it. */
  let early: (() => void)[] | null = []
  /** What events have told since: newer than anything that is read meanwhile. */
  const fresh = new Set<string>()
  const tellSoon = onceInTask(() => subscriber.next({ parts }))
  const tell = () => {
    if (!early) tellSoon()
  }
  const put = (key: string, doc: R | null) => {
    const part = doc && project(doc)
    if (part === null) parts.delete(key)
    else parts.set(key, part)
    revs.set(key, revOf(doc))
  }
  return {
    put,
    tell,
    fresh,
    told(key: string, doc: R | null) {
      const apply = () => {
        fresh.add(key)
        put(key, doc)
      }
      if (early) early.push(apply)
      else apply()
      tell()
    },
    take(kept: ReadonlyMap<string, Part<P>>) {
      for (const [key, { rev, part }] of kept) {
        parts.set(key, part)
        revs.set(key, rev)
      }
    },
    /** From now on each event is told as it comes. */
    goLive() {
      for (const apply of early ?? []) apply()
      early = null
      tell()
    },
    isAsKnown: (key: string, rev: string) => rev !== '' && revs.get(key) === rev,
    /** Those that are not there any more. */
    drop(there: ReadonlySet<string>) {
      for (const key of parts.keys())
        if (!there.has(key) && !fresh.has(key)) {
          parts.delete(key)
          tell()
        }
    },
    all: (): ReadonlyMap<string, Part<P>> =>
      new Map([...parts].map(([key, part]) => [key, { rev: revs.get(key) ?? '', part }])),
  }
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

/** RxDB's own, beside the record. */
const revOf = (doc: unknown): string => String((Object(doc) as { _rev?: string })._rev ?? '')

type Known<R, P> = ReturnType<typeof createParts<R, P>>

async function readAll<R, P>(
  collection: RxCollection<R>,
  known: Known<R, P>,
  { keys, isOfClear = false, kept }: Projecting<P>,
): Promise<void> {
  // what cannot be read was not kept
  const before = await kept?.read().catch(() => null)
  if (before) {
    known.take(before)
    known.goLive()
    await kept?.rest()
  }
  const there = new Set<string>()
  const reading = { keys, isOfClear, isKnown: before ? known.isAsKnown : undefined }
  for await (const piece of scanDocs(collection, reading)) {
    for (const key of piece.keys) there.add(key)
    for (const [key, doc] of piece.docs)
      if (!known.fresh.has(key)) {
        known.put(key, doc)
        known.tell()
      }
    if (before) await kept?.rest()
  }
  if (before) known.drop(there)
  else known.goLive()
  kept?.settled(known.all)
}
