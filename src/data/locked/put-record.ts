/**
 * Puts a record that was locked where it belongs (sync RULES SV3, PL3): there is one record for each id of the CRM. What was
 * read of it meanwhile has the CRM's id as its key; that one gives way to the record that was made here, with its changes,
 * photos and drafts. Done twice it changes nothing.
 */
import type { RxCollection, RxDocument } from 'rxdb/plugins/core'
import { withReplaced } from '#schemas/change-history.ts'
import { blankFacts, isCreating } from '#schemas/changes/change-queue.ts'
import type { Change, StoredRecord } from '#schemas/change.ts'
import { declaredFacts } from '#schemas/collections/declared-facts.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import { isOpen } from '#schemas/changes/record-view.ts'
import type { Database } from '#data/database/database.ts'
import { change as changeDraft, plain } from '#data/drafts/draft-rows.ts'
import { pulledCollection } from '#data/database/pulled-collection.ts'
import { changesOf, keysOfId, viewOf } from '#data/changes/record-views.ts'
import { readStoredByKeys } from '#data/storage/read-stored.ts'
import { writeTogether, type Write } from '#data/storage/write-together.ts'
import { joinedRecord, withoutSuffix } from './joined-record.ts'

/** @param back as it was locked */
export async function putRecord(db: Database, name: PushCollection, back: StoredRecord): Promise<void> {
  const holder = await holderOf(db, name, back)
  await putDocument(db, name, { ...back, key: holder })
  if (holder !== back.key) return moveDrafts(db, name, back.key, holder)
  await takeOthers(db, name, holder)
}

/** @param back changes of one record as they were locked; what is on the device of them by now stays as it is */
export async function putChanges(db: Database, name: PushCollection, back: readonly Change[]): Promise<void> {
  const { recordKey = '' } = back[0] ?? {}
  const stored = await pulledCollection(db, name).findOne(recordKey).exec()
  const key = stored ? recordKey : await holderOf(db, name, { key: recordKey, serverId: recordKey })
  await join(db, name, key, back)
  await takeOthers(db, name, key)
}

/** Nobody on this device has made it. */
const isOnlyRead = ({ key, serverId }: Pick<StoredRecord, 'key' | 'serverId'>) => key === serverId

/** The key that a record belongs under: of one that was only read that of the record made here which has its id. */
async function holderOf(
  db: Database,
  name: PushCollection,
  record: Pick<StoredRecord, 'key' | 'serverId'>,
): Promise<string> {
  const keys = isOnlyRead(record) ? await keysOfId(db, name, record.serverId) : []
  return keys.find((key) => key !== record.key) ?? record.key
}

/** The newer of two states stays, with what either knows of others' changes. */
async function putDocument(db: Database, name: PushCollection, back: StoredRecord): Promise<void> {
  const doc = await foundOrInserted(pulledCollection(db, name), back.key, () => back)
  const written = await doc?.incrementalModify((now) => {
    const history = withReplaced(now.history ?? [], back.history ?? [])
    const isOlder = (now.server?.stamp ?? '') < (back.server?.stamp ?? '')
    return {
      ...now,
      serverId: now.serverId || back.serverId,
      ...(isOlder && back.server && { server: back.server }),
      ...(history.length > 0 && { history }),
    }
  })
  // a pull or 破棄 took it away in between
  if (written?.deleted) await putDocument(db, name, back)
}

/** @returns the document that was there already, null where this call has inserted it */
export async function foundOrInserted<D>(
  collection: RxCollection<D>,
  key: string,
  made: () => D,
): Promise<RxDocument<D> | null> {
  const find = () => collection.findOne(key).exec()
  const found = await find()
  if (found) return found
  try {
    await collection.insert(made())
    return null
  } catch (error) {
    // another tab has inserted it at this moment
    const theirs = await find()
    if (theirs) return theirs
    throw error
  }
}

/** Changes go under this key in one write, with those that are there: another record's, or such as were locked. */
async function join(db: Database, name: PushCollection, key: string, more: readonly Change[]): Promise<void> {
  const [all, known] = await Promise.all([
    changesOf(db, name, key),
    readStoredByKeys(
      db.changes,
      more.map(({ id }) => id),
    ),
  ])
  const here = new Map(all.map((change) => [change.id, change]))
  const ids = new Set([...here.keys()].map(withoutSuffix))
  const moved = new Set(known.filter(({ recordKey }) => recordKey !== key).map(({ id }) => id))
  const isLeft = (id: string) => known.some((each) => each.id === id) && !moved.has(id)
  const back = more.filter(({ id }) => !isLeft(id) && !ids.has(withoutSuffix(id)))
  if (back.length === 0) return
  const { requestId, workingDate } = all[0] ?? (await viewOf(db, name, key)) ?? (back[0] as Change)
  const under = (change: Change): Change => ({ ...change, recordKey: key, requestId, workingDate })
  const view = await viewOf(db, name, key)
  const open = back.filter(isOpen)
  const alone = { key, requestId, workingDate, serverId: '', unsent: 'yes' as const, changes: open }
  const [lastEdit = ''] = [...all, ...back]
    .filter((change) => change.state === 'accepted' && !isCreating(change))
    .map(({ stamp }) => stamp)
    .toSorted()
    .reverse()
  const joined = joinedRecord(view ?? { ...alone, changes: [] }, alone, { lastEdit })
  const writes = new Map<string, Write<Change>>()
  for (const { id } of back.filter(({ id: each }) => moved.has(each))) writes.set(id, () => null)
  for (const change of back.filter((each) => !isOpen(each))) writes.set(change.id, () => under(change))
  for (const { id, fields, madeOn } of joined.changes) {
    if (here.has(id)) continue
    const said = { id, fields, ...(madeOn && { madeOn }) }
    const [locked, base] = [back.find((each) => each.id === id), here.get(withoutSuffix(id))]
    if (locked) writes.set(id, (now) => ({ ...under(now ?? locked), ...said }))
    else if (base) {
      // the call of it may be under way: what is joined is another change, and covers it
      const record = { resource: name, key, requestId, workingDate }
      const facts = blankFacts({ record, change: { ...base, id } })
      writes.set(base.id, (now) => (now && isOpen(now) ? null : now))
      writes.set(id, () => ({ ...base, ...facts, ...said }))
    }
  }
  await writeTogether(db.changes, writes)
}

/** Records that were only read, and have the id of the one of this key, give way to it. */
async function takeOthers(db: Database, name: PushCollection, key: string): Promise<void> {
  const view = await viewOf(db, name, key)
  const id = view?.serverId ?? ''
  if (id === '' || id === key) return
  for (const other of await keysOfId(db, name, id)) if (other === id) await giveWay(db, name, other, key)
}

/** What hangs on a record goes first, then the record. */
async function giveWay(db: Database, name: PushCollection, other: string, key: string): Promise<void> {
  const stored = await pulledCollection(db, name).findOne(other).exec()
  if (stored) {
    const whole = stored.toMutableJSON()
    const own = (await viewOf(db, name, key)) ?? whole
    const { requestId, workingDate } = own
    await putDocument(db, name, { ...whole, key, requestId, workingDate })
  }
  await join(db, name, key, await changesOf(db, name, other))
  for (const photo of await db.photos.find({ selector: { recordKey: other, resource: name } }).exec())
    await photo.incrementalPatch({ recordKey: key })
  await moveDrafts(db, name, other, key)
  // what was saved on it meanwhile goes along
  if ((await changesOf(db, name, other)).length > 0) return giveWay(db, name, other, key)
  await stored?.incrementalRemove()
}

/** A form's draft names its record in its key. One that finds another text in its place stays where it is. */
async function moveDrafts(db: Database, name: PushCollection, from: string, to: string): Promise<void> {
  const { slug } = declaredFacts[name]
  const renamed = (key: string) =>
    key
      .split('/')
      .map((part) => (part === from ? to : part))
      .join('/')
  for (const doc of await db.drafts.find().exec()) {
    const draft = plain(doc.toMutableJSON())
    const next = renamed(draft.key)
    if (next === draft.key || !draft.key.startsWith(`${slug}/`)) continue
    const moved = { ...draft, key: next, recordKey: draft.recordKey === from ? to : draft.recordKey }
    let isMoved = false
    await changeDraft(db, next, (there) => {
      isMoved = isEmpty(there)
      return isMoved ? moved : there
    })
    if (isMoved) await doc.incrementalRemove()
  }
}

const isEmpty = ({ values, photos, unwanted }: { values: string; photos: unknown[]; unwanted: unknown[] }) =>
  values === '' && photos.length === 0 && unwanted.length === 0
