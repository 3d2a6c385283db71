/**
 * Restores a record with its changes and photos after an earlier password has decrypted them (sync RULES SV3, PL3).
 * It is merged with a record that the sync has stored under the same CRM id. A second restore changes nothing.
 */
import { withReplaced } from '#schemas/change-history.ts'
import { blankFacts, isCreating } from '#schemas/changes/change-queue.ts'
import { progressOf, withUnsent } from '#schemas/changes/photo-queue.ts'
import type { Change, StoredRecord } from '#schemas/change.ts'
import { declaredFacts, type PushCollection } from '#schemas/collections/push-collections.ts'
import { isOpen } from '#schemas/changes/record-view.ts'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { Database } from '#data/database/database.ts'
import { changeDraft, plain } from '#data/drafts/draft-rows.ts'
import { pulledCollection, changesOf, keysOfId, viewOf } from '#data/changes/record-views.ts'
import { recordOfPhoto } from '#data/photos/photos.ts'
import { readStoredByKeys, writeTogether, type Write } from '#data/storage/stored-docs.ts'
import { joinedChanges, withoutSuffix } from './joined-changes.ts'

export async function putRecord(db: Database, name: PushCollection, locked: StoredRecord): Promise<void> {
  const key = await restoredKey(db, name, locked)
  await putDocument(db, name, { ...locked, key })
  if (key !== locked.key) return moveDrafts(db, name, locked.key, key)
  await mergeOthers(db, name, key)
}

/** Restores changes of one record. Changes that are on the device already are not overwritten. */
export async function putChanges(db: Database, name: PushCollection, locked: readonly Change[]) {
  const { recordKey = '' } = locked[0] ?? {}
  const stored = await pulledCollection(db, name).findOne(recordKey).exec()
  const key = stored ? recordKey : await restoredKey(db, name, { key: recordKey, serverId: recordKey })
  await joinChanges(db, name, key, locked)
  await mergeOthers(db, name, key)
}

/** Returns the key of the record with the same CRM id that was created here; otherwise the record's own key. */
async function restoredKey(
  db: Database,
  name: PushCollection,
  { key, serverId }: Pick<StoredRecord, 'key' | 'serverId'>,
): Promise<string> {
  // A record whose key differs from its CRM id was created on this device and keeps its key.
  const keys = key === serverId ? await keysOfId(db, name, serverId) : []
  return keys.find((other) => other !== key) ?? key
}

/** Stores a decrypted record. Of two states, the newer one of the CRM stays, and the edit histories are joined. */
async function putDocument(db: Database, name: PushCollection, locked: StoredRecord): Promise<void> {
  const doc = await pulledCollection(db, name).insertIfNotExists(locked)
  const written = await doc.incrementalModify((now) => {
    const history = withReplaced(now.history ?? [], locked.history ?? [])
    const isOlder = (now.server?.stamp ?? '') < (locked.server?.stamp ?? '')
    return {
      ...now,
      serverId: now.serverId || locked.serverId,
      ...(isOlder && locked.server && { server: locked.server }),
      ...(history.length > 0 && { history }),
    }
  })
  if (written.deleted) await putDocument(db, name, locked)
}

/**
 * Adds decrypted changes, or those of a record that is merged into this one, to the record with this key, in one
 * write.
 */
async function joinChanges(db: Database, name: PushCollection, key: string, more: readonly Change[]) {
  const ids = more.map(({ id }) => id)
  const stored = await readStoredByKeys(db.changes, ids)
  const underOtherKey = new Set(stored.filter(({ recordKey }) => recordKey !== key).map(({ id }) => id))
  const here = await changesOf(db, name, key)
  const hereIds = new Set(here.map(({ id }) => withoutSuffix(id)))
  const added = more.filter(({ id }) => !hereIds.has(withoutSuffix(id)))
  const [first] = added
  if (!first) return
  const view = await viewOf(db, name, key)
  const { requestId, workingDate } = here[0] ?? view ?? first
  const underKey = (change: Change): Change => ({ ...change, recordKey: key, requestId, workingDate })
  const open = added.filter(isOpen)
  const lastEdit = [...here, ...added]
    .filter((change) => change.state === 'accepted' && !isCreating(change))
    .reduce((last, { stamp }) => (stamp > last ? stamp : last), '')
  const writes = new Map<string, Write<Change>>()
  // Changes that are stored under another key are deleted, unless a `writes.set` below keeps them.
  for (const { id } of added) if (underOtherKey.has(id)) writes.set(id, () => null)
  for (const change of added) if (!isOpen(change)) writes.set(change.id, () => underKey(change))
  for (const { id, fields, madeOn } of joinedChanges(view ?? { changes: [] }, open, lastEdit)) {
    if (here.some((each) => each.id === id)) continue
    const merged = { id, fields, ...(madeOn && { madeOn }) }
    const change = added.find((each) => each.id === id)
    const original = here.find((each) => each.id === withoutSuffix(id))
    if (change) writes.set(id, (now) => ({ ...underKey(now ?? change), ...merged }))
    else if (original) {
      // The merged change gets a new id and replaces the original, because a call with the original may have begun.
      const record = { resource: name, key, requestId, workingDate }
      const facts = blankFacts({ record, change: { ...original, id } })
      writes.set(original.id, (now) => (now && isOpen(now) ? null : now))
      writes.set(id, () => ({ ...original, ...facts, ...merged }))
    }
  }
  await writeTogether(db.changes, writes)
}

/** Merges the record that the sync stored under the same CRM id into the record with this key. */
async function mergeOthers(db: Database, name: PushCollection, key: string): Promise<void> {
  const view = await viewOf(db, name, key)
  const id = view?.serverId ?? ''
  if (id === '' || id === key) return
  if ((await keysOfId(db, name, id)).includes(id)) await mergeInto(db, name, id, key)
}

/** Moves document, changes, photos and drafts of the record `other` to another key, and deletes the record. */
async function mergeInto(db: Database, name: PushCollection, other: string, key: string): Promise<void> {
  const stored = await pulledCollection(db, name).findOne(other).exec()
  if (stored) {
    const document = stored.toMutableJSON()
    const { requestId, workingDate } = (await viewOf(db, name, key)) ?? document
    await putDocument(db, name, { ...document, key, requestId, workingDate })
  }
  await joinChanges(db, name, key, await changesOf(db, name, other))
  for (const photo of await db.photos.find({ selector: { recordKey: other, resource: name } }).exec())
    await photo.incrementalPatch({ recordKey: key })
  await moveDrafts(db, name, other, key)
  // Another tab may have saved a change under the former key meanwhile.
  if ((await changesOf(db, name, other)).length > 0) return mergeInto(db, name, other, key)
  await stored?.incrementalRemove()
}

/** Renames drafts whose keys contain the record's key. If the new key has a draft with content, nothing is renamed. */
async function moveDrafts(db: Database, name: PushCollection, from: string, to: string): Promise<void> {
  const { slug } = declaredFacts[name]
  for (const doc of await db.drafts.find().exec()) {
    const draft = plain(doc.toMutableJSON())
    const parts = draft.key.split('/')
    if (parts[0] !== slug || !parts.includes(from)) continue
    const next = parts.map((part) => (part === from ? to : part)).join('/')
    const moved = { ...draft, key: next, recordKey: draft.recordKey === from ? to : draft.recordKey }
    let isMoved = false
    await changeDraft(db, next, (latest) => {
      isMoved = isEmpty(latest)
      return isMoved ? moved : latest
    })
    if (isMoved) await doc.incrementalRemove()
  }
}

const isEmpty = ({ values, photos, unwanted }: FormDraft) =>
  values === '' && photos.length === 0 && unwanted.length === 0

/**
 * Restores a photo under the present key of its record. A photo of the same file on the device gets the locked
 * photo's unsent change if this is newer.
 */
export async function putPhoto(db: Database, locked: PhotoRecord): Promise<void> {
  const { resource, key, fileSeq, folderId } = locked
  const recordKey = (await recordOfPhoto(db, locked)) ?? locked.recordKey
  const selector = { recordKey, resource, fileSeq, folderId }
  const sameFile = fileSeq === '' ? [] : await db.photos.find({ selector }).exec()
  const doc =
    (await db.photos.findOne(key).exec()) ??
    sameFile[0] ??
    (await db.photos.insertIfNotExists({ ...locked, recordKey }))
  if (locked.unsent === 'no' || fileSeq === '') return
  const { name, wanted, stamp, savedAt, userId, offline } = locked
  const save = { name, wanted, stamp, savedAt, userId, offline, ...progressOf(locked) }
  await doc.incrementalModify((photo) => (photo.stamp < stamp ? withUnsent({ ...photo, ...save }) : photo))
}
