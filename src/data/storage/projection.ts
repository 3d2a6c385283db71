/**
 * A small part of every document of a collection, in memory. The documents are read once, in bulk and past RxDB's query
 * cache, which would hold them whole; from then on the change events (those of other tabs included) keep the part true.
 *
 *     listening ─→ bulk read ─→ events that came meanwhile ─→ given, and again with every event
 *              └─→ parts that were kept ─→ given ─┬─ nothing was written since (`write-stand.ts`): that is all
 *                                                 └─ when idle: documents whose revision is another are read
 */
import type { RxCollection } from 'rxdb/plugins/core'
import { Observable, retry, type Subscriber } from 'rxjs'
import { nextTask } from '#lib/next-task.ts'
import { LATER } from './lasting-queries.ts'
import { scanDocs, type KeyRange } from './scan-docs.ts'
import { isSameStand, knownWrites, standOf, type KnownWrites, type WriteStand } from './write-stand.ts'

/** A part, and the revision of the document that it is of; '' where that is not known. */
export interface Part<P> {
  rev: string
  part: P
}

export type Parts<P> = ReadonlyMap<string, Part<P>>

/** Parts of all documents, and how far their store's writes had come then; null where that is not known. */
export interface AllParts<P> {
  parts: Parts<P>
  stand: WriteStand | null
}

/** Where parts lie while the app is closed. */
export interface KeptParts<P> {
  /** Null where none are, or what was kept is behind. */
  read(): Promise<AllParts<P> | null>
  /** Resolves when the screen needs nothing: what was kept may be checked. */
  rest(): Promise<unknown>
  /** Something was written: what is kept is behind. */
  changed(): void
  /** All of them are known. @param all as they are when it is called @param isKept they are what was read */
  settled(all: () => Promise<AllParts<P>>, isKept: boolean): void
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
    const writes = kept ? knownWrites(collection) : null
    readAll(collection, { known, writes }, options).catch((error: unknown) =>
      // a database that was closed meanwhile (logout) has nothing to tell
      collection.closed ? subscriber.complete() : subscriber.error(error),
    )
    return () => {
      kept?.stop()
      writes?.stop()
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
    take(kept: Parts<P>) {
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
    all: (): Parts<P> => new Map([...parts].map(([key, part]) => [key, { rev: revs.get(key) ?? '', part }])),
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

interface Reading<R, P> {
  known: Known<R, P>
  /** Null where nothing is kept. */
  writes: KnownWrites | null
}

async function readAll<R, P>(
  collection: RxCollection<R>,
  { known, writes }: Reading<R, P>,
  options: Projecting<P>,
): Promise<void> {
  const { kept } = options
  // what cannot be read was not kept
  const before = (await kept?.read().catch(() => null)) ?? null
  if (before) {
    known.take(before.parts)
    await nextTask()
    known.goLive()
  }
  const stand = writes && (await standOf(collection))
  const isKept = before !== null && isSameStand(before.stand, stand)
  if (!isKept) await look(collection, { known, isKept: before !== null }, options)
  if (stand) writes.from(stand)
  // events that are on their way are in it once they are told
  const all = async () => {
    const now = await standOf(collection)
    return { parts: known.all(), stand: now && writes?.reach(now) ? now : null }
  }
  kept?.settled(all, isKept)
}

/** Goes through all documents. @param isKept parts of them are known: only those of another revision are opened */
async function look<R, P>(
  collection: RxCollection<R>,
  { known, isKept }: { known: Known<R, P>; isKept: boolean },
  { keys, isOfClear = false, kept }: Projecting<P>,
): Promise<void> {
  if (isKept) await kept?.rest()
  const there = new Set<string>()
  const reading = { keys, isOfClear, isKnown: isKept ? known.isAsKnown : undefined }
  for await (const piece of scanDocs(collection, reading)) {
    for (const key of piece.keys) there.add(key)
    for (const [key, doc] of piece.docs)
      if (!known.fresh.has(key)) {
        known.put(key, doc)
        known.tell()
      }
    if (isKept) await kept?.rest()
  }
  if (isKept) known.drop(there)
  else known.goLive()
}
