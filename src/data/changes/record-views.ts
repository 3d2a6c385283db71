/** Views of records for screens: the stored document with the local changes applied (decisions/records). */
import { combineLatest, distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs'
import type { Change, PushableRecord, StoredRecord } from '#schemas/change.ts'
import type { PendingRecord } from '#schemas/changes/change-queue.ts'
import type { RecordViews } from '#schemas/collections/collections.ts'
import { pushCollections, type PushCollection } from '#schemas/collections/push-collections.ts'
import { byRecord, isOpen, recordView, recordViews } from '#schemas/changes/record-view.ts'
import { perDatabase, type Database } from '#data/database/database.ts'
import { readStored } from '#data/storage/stored-docs.ts'
import type { RxCollection } from 'rxdb/plugins/core'

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

/** Emits the views of the records that match a selector. New records that exist only as a change are included. */
export function views$<C extends PushCollection>(db: Database, collection: C, selector: object) {
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

/** Emits a function that computes the view of the record with a key; undefined without such a record. */
export function viewsByKey$<C extends PushCollection>(db: Database, collection: C, selector?: object) {
  const docs$ = pulledCollection(db, collection).find(selector && { selector }).$
  return combineLatest([docs$, changesIn$(db, collection)]).pipe(
    map(([docs, changes]) => {
      const docsByKey = new Map(docs.map((doc) => [doc.key, doc]))
      const changesByKey = byRecord(changes)
      // The list asks for thousands of keys, most of which have no record.
      const keys = new Set([...docsByKey.keys(), ...changesByKey.keys()])
      return (key: string) => {
        if (!keys.has(key)) return undefined
        const stored = docsByKey.get(key)?.toJSON() as StoredRecord | undefined
        return recordView<RecordViews[C] & PushableRecord>(stored, changesByKey.get(key) ?? []) ?? undefined
      }
    }),
  )
}

export async function viewOf<C extends PushCollection>(db: Database, collection: C, key: string) {
  const [doc, changes] = await Promise.all([
    pulledCollection(db, collection).findOne(key).exec(),
    changesOf(db, collection, key),
  ])
  const stored = doc?.toMutableJSON() as StoredRecord | undefined
  return recordView<RecordViews[C] & PushableRecord>(stored, changes)
}

/** Reads all changes of a record from disk, in any send state. */
export const changesOf = async (db: Database, resource: string, recordKey: string): Promise<Change[]> =>
  (await readStored(db.changes, { selector: { recordKey } })).filter((change) => change.resource === resource)

/** Returns the keys of the records with this CRM id: a record that was created here, and the pull's, may both exist. */
export async function keysOfId(db: Database, resource: PushCollection, id: string): Promise<string[]> {
  const [docs, accepted] = await Promise.all([
    pulledCollection(db, resource)
      .find({ selector: { serverId: id } })
      .exec(),
    // Until the next pull, only the accepted change that created a record knows the record's CRM id.
    readStored(db.changes, { selector: { state: 'accepted' } }),
  ])
  const ofId = accepted.filter(
    (change) => change.resource === resource && change.result && Reflect.get(change.result, 'id') === id,
  )
  return [...new Set([...docs.map(({ key }) => key), ...keysOf(ofId)])]
}

const keysOf = (changes: readonly Change[]) => [...new Set(changes.map(({ recordKey }) => recordKey))]

type Pending = { records: PendingRecord[]; changes: readonly Change[] }

/** Emits all records with unsent changes, of any collection, and all stored changes. */
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
  const keys = new Set(keysOf(open.filter((change) => change.resource === resource)))
  const own = changes.filter((change) => change.resource === resource && keys.has(change.recordKey))
  const docs$ = pulledCollection(db, resource).findByIds([...keys]).$
  return docs$.pipe(
    map((docs) => {
      const stored = [...docs.values()].map((doc) => doc.toMutableJSON() as StoredRecord)
      return [...recordViews(stored, own).values()].map((record) => ({ resource, ...record }))
    }),
  )
}

/** The cast is needed because RxDB's collection types are not compatible with each other. */
export const pulledCollection = (db: Database, name: PushCollection) =>
  db[name] as unknown as RxCollection<StoredRecord>
