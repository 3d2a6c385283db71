/** Records as screens see them: the stored document with the local changes applied (decisions/records). */
import { combineLatest, distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs'
import type { Change, PushableRecord, StoredRecord } from '#schemas/change.ts'
import type { PendingRecord } from '#schemas/changes/change-queue.ts'
import type { RecordViews } from '#schemas/collections/collections.ts'
import { pushCollections, type PushCollection } from '#schemas/collections/push-collections.ts'
import { byRecord, isOpen, recordView, recordViews } from '#schemas/changes/record-view.ts'
import type { Database } from '#data/database/database.ts'
import { perDatabase } from '#data/database/per-database.ts'
import { readStored } from '#data/storage/read-stored.ts'
import type { RxCollection } from 'rxdb/plugins/core'

/** All stored changes, live. */
export const changes$ = perDatabase((db): Observable<readonly Change[]> =>
  db.changes.find().$.pipe(map((docs) => docs.map((doc) => doc.toJSON() as Change))),
)

const changesIn$ = (db: Database, collection: PushCollection): Observable<readonly Change[]> =>
  changes$(db).pipe(
    map((changes) => changes.filter(({ resource }) => resource === collection)),
    distinctUntilChanged(
      (before, now) => before.length === now.length && before.every((each, at) => each === now[at]),
    ),
  )

/** Views of the records that a selector finds, live. New records without a document are included. */
export function views$<C extends PushCollection>(
  db: Database,
  collection: C,
  selector: object,
): Observable<RecordViews[C][]> {
  const query = pulledCollection(db, collection).find({ selector })
  return combineLatest([query.$, changesIn$(db, collection)]).pipe(
    map(([docs, changes]) => {
      const stored = docs.map((doc) => doc.toMutableJSON() as StoredRecord)
      const views = recordViews<RecordViews[C] & PushableRecord>(stored, changes)
      const storedKeys = new Set(stored.map(({ key }) => key))
      const isFound = (view: PushableRecord) => storedKeys.has(view.key) || query.doesDocumentDataMatch(view)
      return [...views.values()].filter(isFound)
    }),
  )
}

/** A live function from key to view, over many records. Each view is computed on demand. */
export function viewsByKey$<C extends PushCollection>(
  db: Database,
  collection: C,
  selector?: object,
): Observable<(key: string) => RecordViews[C] | undefined> {
  const docs$ = pulledCollection(db, collection).find(selector && { selector }).$
  return combineLatest([docs$, changesIn$(db, collection)]).pipe(
    map(([docs, changes]) => {
      const stored = new Map(docs.map((doc) => [doc.key, doc]))
      const saved = byRecord(changes)
      return (key) => {
        const [doc, own] = [stored.get(key), saved.get(key)]
        const record = doc && (doc.toJSON() as StoredRecord)
        return recordView<RecordViews[C] & PushableRecord>(record, own ?? []) ?? undefined
      }
    }),
  )
}

/** The view of one record, read from disk now. */
export async function viewOf<C extends PushCollection>(
  db: Database,
  collection: C,
  key: string,
): Promise<RecordViews[C] | null> {
  const [doc, changes] = await Promise.all([
    pulledCollection(db, collection).findOne(key).exec(),
    changesOf(db, collection, key),
  ])
  const stored = doc?.toMutableJSON() as StoredRecord | undefined
  return recordView<RecordViews[C] & PushableRecord>(stored, changes)
}

/** All changes of a record, in any state, read from disk now. */
export const changesOf = async (db: Database, resource: string, recordKey: string): Promise<Change[]> =>
  (await readStored(db.changes, { selector: { recordKey } })).filter((change) => change.resource === resource)

/** Keys of the records with this CRM id. There are two if a record created here was also pulled under its CRM id. */
export async function keysOfId(db: Database, resource: PushCollection, id: string): Promise<string[]> {
  const [docs, accepted] = await Promise.all([
    pulledCollection(db, resource)
      .find({ selector: { serverId: id } })
      .exec(),
    readStored(db.changes, { selector: { state: 'accepted' } }),
  ])
  const ofId = accepted.filter(
    (change) => change.resource === resource && change.result && Reflect.get(change.result, 'id') === id,
  )
  return [...new Set([...docs.map(({ key }) => key), ...keysOf(ofId)])]
}

const keysOf = (changes: readonly Change[]) => [...new Set(changes.map(({ recordKey }) => recordKey))]

interface Pending {
  records: PendingRecord[]
  /** All stored changes, including those that have ended. */
  changes: readonly Change[]
}

/** All records with unsent changes, over all collections. */
export const pending$ = perDatabase((db): Observable<Pending> =>
  changes$(db).pipe(
    switchMap((changes) => {
      const open = changes.filter(isOpen)
      const names = pushCollections.filter((name) => open.some(({ resource }) => resource === name))
      if (names.length === 0) return of({ records: [], changes })
      return combineLatest(names.map((name) => pendingIn$(db, name, { open, changes }))).pipe(
        map((records) => ({ records: records.flat(), changes })),
      )
    }),
  ),
)

function pendingIn$(
  db: Database,
  resource: PushCollection,
  { open, changes }: { open: readonly Change[]; changes: readonly Change[] },
): Observable<PendingRecord[]> {
  const keys = keysOf(open.filter((change) => change.resource === resource))
  const own = changes.filter((change) => change.resource === resource && keys.includes(change.recordKey))
  const docs$ = pulledCollection(db, resource).findByIds(keys).$
  return docs$.pipe(
    map((docs) => {
      const stored = [...docs.values()].map((doc) => doc.toMutableJSON() as StoredRecord)
      return [...recordViews(stored, own).values()].map((record) => ({ resource, ...record }))
    }),
  )
}

/**
 * Returns a collection of pulled records by name. The cast is needed because RxDB's collection type is
 * invariant in its record type.
 */
export const pulledCollection = (db: Database, name: PushCollection) =>
  db[name] as unknown as RxCollection<StoredRecord>
