/**
 * Deletes expired documents, then removes them from the storage: changes that ended, deleted photos and photos without
 * a record, old drafts, old history, and fetch requests that were answered long ago (RULES EX1). Unsent work is never
 * deleted (SV3).
 */
import type { StoredRecord } from '#schemas/change.ts'
import { declared } from '#schemas/collections/declared.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { dayOfPhotoChain, PHRASES_DRAFT, visitOfDraft } from '#schemas/resources/visit-key.ts'
import { openChanges, pulledCollection, type QueueStore } from '#sync/changes/change-store.ts'
import type { PhotoBytes } from '#sync/photos/photo-store.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { fetchRequestsIn } from '../storage/fetch-requests.ts'
import { expiredBefore, isOlder } from './expiry.ts'
import { deviceRows } from '#sync/storage/device-rows.ts'
import { whenIdle } from '#sync/lib/slices.ts'

interface Parts {
  db: SyncDatabase
  store: QueueStore
  bytes: PhotoBytes | undefined
  /** Epoch ms. */
  now: number
  /** Drafts that were last changed before this time are a day old, epoch ms. */
  typedBefore: number
}

export async function purge({ db, store, bytes, now, typedBefore }: Parts): Promise<void> {
  await store.states.purge(now)
  const photos = (await db.photos.find().exec()).map((doc) => doc.toMutableJSON())
  const before = expiredBefore(now)
  const old = photos.filter(({ unsent, savedAt }) => unsent === 'no' && savedAt < before)
  for (const { key, wanted, settledAt, resource, recordKey } of old) {
    const isOldDeletion = wanted === 'deleted' && settledAt < before
    if (isOldDeletion || !(await store.record(resource, recordKey))) await forget(db, bytes, key)
  }
  await expireDrafts(db, bytes, typedBefore)
  await expireHistory(db, now)
  // The pull manages its own receipts.
  const fetchRequests = await fetchRequestsIn(db)
  const answered = fetchRequests.filter(({ state, answeredAt }) => state !== 'asked' && answeredAt < before)
  await db.interests.bulkRemove(answered.map(({ key }) => key))
}

/** Deletes a photo, then its bytes. A photo that was renamed or deleted meanwhile stays, because it has unsent work. */
async function forget(db: SyncDatabase, bytes: PhotoBytes | undefined, key: string): Promise<void> {
  const doc = await db.photos.findOne(key).exec()
  const written = await doc?.incrementalModify((photo) =>
    photo.unsent === 'no' ? { ...photo, _deleted: true } : photo,
  )
  if (written?.deleted) await bytes?.remove(key)
}

/**
 * Deletes drafts that were not changed for a day, with their photos (RULES EX1, decisions/drafts). The records that
 * they belong to expire after them. A draft whose save has begun never expires, because the next start completes the
 * save. The draft of a signature or a sheet expires with its visit, and the record of a day's photos with the visits
 * of that day; none of them retains a visit on the device. The user's own sentences stay until the logout.
 * @param touchedBefore drafts that were last written before this time are a day old, even if the clock was set (EX3);
 * epoch ms
 */
export async function expireDrafts(
  db: SyncDatabase,
  bytes: Pick<PhotoBytes, 'remove'> | undefined,
  touchedBefore: number,
): Promise<void> {
  for (const doc of await db.drafts.find().exec()) {
    const { saving, photos, _meta } = doc.toMutableJSON(true)
    if (saving !== '' || _meta.lwt >= touchedBefore || doc.key === PHRASES_DRAFT) continue
    if (await belongsToVisit(db, doc.key)) continue
    // the removal fails if the draft has just been changed, and the draft stays
    const isRemoved = await doc.remove().then(
      () => true,
      () => false,
    )
    if (!isRemoved) continue
    const keys = photos.map(({ key }) => key)
    const saved = await db.photos.findByIds(keys).exec()
    for (const key of keys) if (!saved.has(key)) await bytes?.remove(key)
  }
}

/** True if the draft belongs to a visit that is on the device. */
async function belongsToVisit({ requests }: SyncDatabase, key: string): Promise<boolean> {
  const visit = visitOfDraft(key)
  const workingDate = dayOfPhotoChain(key)
  if (visit === null && workingDate === null) return false
  const selector = visit === null ? { workingDate: workingDate ?? '' } : { key: visit }
  return (await requests.findOne({ selector }).exec()) !== null
}

/** The entries that have not expired. @param now epoch ms */
const freshHistory = ({ history = [] }: Pick<StoredRecord, 'history'>, now: number) =>
  history.filter(({ stamp }) => !isOlder(stamp, now))

/**
 * Expires the `history` of all records a day after its values were read (RULES EX1, MG5), because the CRM never
 * confirms them again. While an edit of the record is unsent, all of it stays for merging.
 * @param now epoch ms
 */
async function expireHistory(db: SyncDatabase, now: number): Promise<void> {
  const unsent = new Set((await openChanges(db)).map(({ resource, recordKey }) => `${resource} ${recordKey}`))
  for (const name of pushCollections) {
    if (!declared[name].editedByOthers) continue
    for (const doc of await pulledCollection(db, name).find().exec()) {
      if (unsent.has(`${name} ${doc.key}`)) continue
      if (freshHistory(doc, now).length === (doc.history ?? []).length) continue
      await doc.incrementalModify((latest) => ({ ...latest, history: freshHistory(latest, now) }))
    }
  }
}

/** A running query of any tab may still need the document. */
const DELETED_FOR_MS = 60_000

/** The part of an `RxReplicationState` that is used. */
export interface Replicating {
  collection: { name: string }
}

interface CleanUpParts {
  db: SyncDatabase
  replications: readonly Replicating[]
  /** Epoch ms of the clock that stamps RxDB's writes. */
  now: () => number
}

/**
 * Removes deleted documents from the storage (RULES EX4). RxDB stores a deleted document with its whole
 * content, and the replication stores its last known version separately.
 *
 *     deleted ─→ remove the document ─→ remove the replication's metadata of it
 *
 * The document goes first: a later one with the same key is then new. In the other order it would look like a
 * write that is still to be pushed, and no pull would overwrite it. If the replication has not processed the
 * removal yet (no signal), the document still goes, because a removed change has ended. RxDB may write its
 * metadata afterwards, so each run looks for it again.
 * @returns a function that cleans one collection after the other, while the screen is idle
 */
export function createCleanUp({ db, replications, now }: CleanUpParts): () => Promise<void> {
  let isFirst = true
  /** By collection: keys of documents that were removed before the replication had processed them. */
  const unprocessed = new Map<string, Set<string>>()
  return async () => {
    const age = { now: now(), deletedForMs: DELETED_FOR_MS }
    for (const collection of Object.values(db.collections)) {
      await whenIdle()
      const own = replications.find((each) => each.collection.name === collection.name)
      const cleaning = deviceRows(db)?.cleaningOf(collection, own)
      if (!cleaning) continue
      const { removed, early } = await cleaning.removeDeleted(age)
      const repeated = new Set([...(unprocessed.get(collection.name) ?? []), ...early])
      unprocessed.set(collection.name, repeated)
      // a crash may have come between the removal of a document and that of its metadata
      const keys = isFirst ? null : [...new Set([...removed, ...repeated])]
      if (keys === null || keys.length > 0) await cleaning.forget(age, keys)
    }
    isFirst = false
  }
}
