/** Records for tests as a person sees them, put on the device as it stores them: a document, and a change for each save. */
import type { RxDocument } from 'rxdb/plugins/core'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { Change, PushableRecord, SendFacts, StoredRecord } from '#schemas/change.ts'
import type { RecordViews } from '#schemas/collections/collections.ts'
import { PHOTOS, progressOf } from '#schemas/changes/photo-queue.ts'
import { pushCollections, type PushCollection } from '#schemas/collections/push-collections.ts'
import { ownOf, recordViews, storedOf } from '#schemas/changes/record-view.ts'
import type { Database } from '#data/database/database.ts'
import { pulledCollection } from '#data/changes/record-views.ts'

/** Facts of changes that are not on the device yet. */
const early = new WeakMap<Database, Map<string, Partial<SendFacts>>>()

/** A record as it is seen. */
export const storeView = <C extends PushCollection>(db: Database, resource: C, view: RecordViews[C]) =>
  storeViews(db, resource, [view])

export async function storeViews<C extends PushCollection>(
  db: Database,
  resource: C,
  views: readonly RecordViews[C][],
): Promise<void> {
  const known = early.get(db)
  const records = views as readonly PushableRecord[]
  const documents = records.filter(({ server }) => server).map((record): StoredRecord => storedOf(record))
  await pulledCollection(db, resource).bulkUpsert(documents)
  const changes = records.flatMap((record) =>
    record.changes.map((change): Change => ({
      ...blankFacts({ record: { resource, ...record }, change }),
      ...change,
      ...known?.get(change.id),
      own: ownOf(record),
    })),
  )
  await db.changes.bulkInsert(changes)
}

/** How far a change, or the act of a photo, is on its way. */
export async function storeFacts(db: Database, facts: SendFacts): Promise<void> {
  if (facts.resource === PHOTOS) return patchRow(db, facts.recordKey, progressOf(facts))
  const doc = await db.changes.findOne(facts.id).exec()
  const isAccepted = facts.state === 'accepted'
  if (doc) {
    const { savedAt, fields, recordKey } = doc.toMutableJSON()
    const result = {
      ...fields,
      id: facts.serverId || recordKey,
      stamp: '~',
      detailed: true,
      editStatus: null,
    }
    return void (await doc.incrementalPatch({ ...facts, savedAt, ...(isAccepted && { result }) }))
  }
  // one whose record is over
  if (isAccepted)
    return void (await db.changes.insert({ ...facts, userId: 'u6', offline: false, fields: {}, own: {} }))
  const known = early.get(db) ?? new Map<string, Partial<SendFacts>>()
  early.set(db, known.set(facts.id, facts))
}

export async function storeAllFacts(db: Database, all: readonly SendFacts[]): Promise<void> {
  for (const facts of all) await storeFacts(db, facts)
}

/** The CRM has accepted a change. @param result the record as it has it since */
export async function acceptChange(
  db: Database,
  id: string,
  result: object,
  facts: Partial<SendFacts> = {},
): Promise<void> {
  const doc = await db.changes.findOne(id).exec(true)
  await doc.incrementalPatch({ ...facts, state: 'accepted', result: { ...result, stamp: '~' } })
}

/** Every record of a collection as it is seen. @param selector fields that it has */
export async function viewsIn<C extends PushCollection>(
  db: Database,
  resource: C,
  selector: object = {},
): Promise<RecordViews[C][]> {
  const [docs, changes] = await Promise.all([
    pulledCollection(db, resource).find().exec(),
    db.changes.find({ selector: { resource } }).exec(),
  ])
  const views = recordViews<RecordViews[C] & PushableRecord>(
    docs.map((doc) => doc.toMutableJSON() as StoredRecord),
    changes.map((doc) => doc.toMutableJSON() as Change),
  )
  const wanted = Object.entries(selector)
  return [...views.values()].filter((view) =>
    wanted.every(([name, value]) => Reflect.get(view, name) === value),
  )
}

/** The first of them; there is one. */
export async function firstIn<C extends PushCollection>(
  db: Database,
  resource: C,
  selector: object = {},
): Promise<RecordViews[C]> {
  const [first] = await viewsIn(db, resource, selector)
  if (!first) throw new Error(`no record of ${resource} with ${JSON.stringify(selector)}`)
  return first
}

/** The one of this key, or the only one. */
export const viewIn = <C extends PushCollection>(
  db: Database,
  resource: C,
  key?: string,
): Promise<RecordViews[C]> => firstIn(db, resource, key === undefined ? {} : { key })

/** Every record that has something unsent. */
export async function unsentIn(db: Database): Promise<(PushableRecord & { resource: PushCollection })[]> {
  const found = await Promise.all(
    pushCollections.map(async (resource) =>
      (await viewsIn(db, resource)).map((view) => ({ ...(view as PushableRecord), resource })),
    ),
  )
  return found.flat().filter(({ unsent }) => unsent === 'yes')
}

/** What is known of the sending of a change, or of a photo. */
export const rowIn = async (db: Database, id: string): Promise<RxDocument<SendFacts> | null> =>
  ((await db.changes.findOne(id).exec()) ??
    (await db.photos.findOne(id).exec())) as RxDocument<SendFacts> | null

/** Writes some of it; it is there. */
export async function patchRow(db: Database, id: string, facts: Partial<SendFacts>): Promise<void> {
  const row = await rowIn(db, id)
  if (!row) throw new Error(`nothing is known of ${id}`)
  await row.incrementalPatch(facts)
}

/** The same of all, in the order of saving. @param selector fields that they have */
export async function rowsIn(db: Database, selector: object = {}): Promise<RxDocument<SendFacts>[]> {
  const [changes, photos] = await Promise.all([db.changes.find().exec(), db.photos.find().exec()])
  const wanted = Object.entries(selector)
  return ([...changes, ...photos] as unknown as RxDocument<SendFacts>[])
    .filter((row) => wanted.every(([name, value]) => Reflect.get(row.toJSON(), name) === value))
    .toSorted((a, b) => (a.stamp < b.stamp ? -1 : 1))
}
