/**
 * Restores a locked record (sync RULES SV3, PL3). The device has one record for each CRM id. If a pull has
 * stored the same record under its CRM id meanwhile, that one is merged into the record that was created
 * here, with its changes, photos and drafts. Restoring twice changes nothing.
 */
import type { RxCollection, RxDocument } from 'rxdb/plugins/core'
import { withReplaced } from '#schemas/change-history.ts'
import { blankFacts, isCreating } from '#schemas/changes/change-queue.ts'
import type { Change, StoredRecord } from '#schemas/change.ts'
import { declaredFacts } from '#schemas/collections/declared-facts.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import { isOpen } from '#schemas/changes/record-view.ts'
import type { Database } from '#data/database/database.ts'
import { changeDraft, plain } from '#data/drafts/draft-rows.ts'
import { pulledCollection, changesOf, keysOfId, viewOf } from '#data/changes/record-views.ts'
import { readStoredByKeys } from '#data/storage/read-stored.ts'
import { writeTogether, type Write } from '#data/storage/write-together.ts'
import { joinedRecord, withoutSuffix } from './joined-record.ts'

/**
 * Restores a record.
 * @param back the record as it was locked
 */
export async function putRecord(db: Database, name: PushCollection, back: StoredRecord): Promise<void> {
  const holder = await holderOf(db, name, back)
  await putDocument(db, name, { ...back, key: holder })
  if (holder !== back.key) return moveDrafts(db, name, back.key, holder)
  await mergeOthers(db, name, holder)
}

/**
 * Restores changes of one record. Changes that are on the device by now stay as they are.
 * @param back the changes as they were locked
 */
export async function putChanges(db: Database, name: PushCollection, back: readonly Change[]): Promise<void> {
  const { recordKey = '' } = back[0] ?? {}
  const stored = await pulledCollection(db, name).findOne(recordKey).exec()
  const key = stored ? recordKey : await holderOf(db, name, { key: recordKey, serverId: recordKey })
  await joinChanges(db, name, key, back)
  await mergeOthers(db, name, key)
}

/** True if the record was only read from the CRM, never created on this device. */
const isOnlyRead = ({ key, serverId }: Pick<StoredRecord, 'key' | 'serverId'>) => key === serverId

/**
 * The key that a record belongs under. If it was only read, that is the key of the record created here with
 * the same CRM id.
 */
async function holderOf(
  db: Database,
  name: PushCollection,
  record: Pick<StoredRecord, 'key' | 'serverId'>,
): Promise<string> {
  const keys = isOnlyRead(record) ? await keysOfId(db, name, record.serverId) : []
  return keys.find((key) => key !== record.key) ?? record.key
}

/** Stores the newer of the two CRM states, with the edit history of both. */
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
  // A pull or a discard deleted it in between.
  if (written?.deleted) await putDocument(db, name, back)
}

/**
 * Finds a document, or inserts it.
 * @returns the existing document; null if this call inserted it
 */
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
    // Another tab has inserted it just now.
    const theirs = await find()
    if (theirs) return theirs
    throw error
  }
}

/** Adds changes to a record in one write: locked ones, or those of another record that is merged into it. */
async function joinChanges(
  db: Database,
  name: PushCollection,
  key: string,
  more: readonly Change[],
): Promise<void> {
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
    const ownFields = { id, fields, ...(madeOn && { madeOn }) }
    const [locked, base] = [back.find((each) => each.id === id), here.get(withoutSuffix(id))]
    if (locked) writes.set(id, (now) => ({ ...under(now ?? locked), ...ownFields }))
    else if (base) {
      // The original change may be in a call. The merged change gets a new id and covers it.
      const record = { resource: name, key, requestId, workingDate }
      const facts = blankFacts({ record, change: { ...base, id } })
      writes.set(base.id, (now) => (now && isOpen(now) ? null : now))
      writes.set(id, () => ({ ...base, ...facts, ...ownFields }))
    }
  }
  await writeTogether(db.changes, writes)
}

/** Merges records that were only read and have the same CRM id into the record with this key. */
async function mergeOthers(db: Database, name: PushCollection, key: string): Promise<void> {
  const view = await viewOf(db, name, key)
  const id = view?.serverId ?? ''
  if (id === '' || id === key) return
  for (const other of await keysOfId(db, name, id)) if (other === id) await mergeInto(db, name, other, key)
}

/** Moves everything that belongs to a record to another key, then deletes the record. */
async function mergeInto(db: Database, name: PushCollection, other: string, key: string): Promise<void> {
  const stored = await pulledCollection(db, name).findOne(other).exec()
  if (stored) {
    const document = stored.toMutableJSON()
    const own = (await viewOf(db, name, key)) ?? document
    const { requestId, workingDate } = own
    await putDocument(db, name, { ...document, key, requestId, workingDate })
  }
  await joinChanges(db, name, key, await changesOf(db, name, other))
  for (const photo of await db.photos.find({ selector: { recordKey: other, resource: name } }).exec())
    await photo.incrementalPatch({ recordKey: key })
  await moveDrafts(db, name, other, key)
  // Changes that were saved meanwhile are moved as well.
  if ((await changesOf(db, name, other)).length > 0) return mergeInto(db, name, other, key)
  await stored?.incrementalRemove()
}

/**
 * Renames drafts, whose keys contain the record's key. A draft whose new key already has content stays as it
 * is.
 */
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
