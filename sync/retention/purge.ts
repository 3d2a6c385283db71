/**
 * Deletes expired documents and then removes them from the storage: ended changes, deleted photos, photos without a
 * record, old drafts, old history, and answered fetch requests (RULES EX1). Unsent work is never deleted (SV3).
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
  /** Epoch ms. A draft whose last change was earlier is more than a day old. */
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
  const fetchRequests = await fetchRequestsIn(db)
  const answered = fetchRequests.filter(({ state, answeredAt }) => state !== 'asked' && answeredAt < before)
  await db.interests.bulkRemove(answered.map(({ key }) => key))
}

/** Deletes a photo, then its bytes. A photo that was renamed or deleted meanwhile has unsent work and stays. */
async function forget(db: SyncDatabase, bytes: PhotoBytes | undefined, key: string): Promise<void> {
  const doc = await db.photos.findOne(key).exec()
  const written = await doc?.incrementalModify((photo) =>
    photo.unsent === 'no' ? { ...photo, _deleted: true } : photo,
  )
  if (written?.deleted) await bytes?.remove(key)
}

/**
 * Deletes drafts that were not changed for a day, with their photos (RULES EX1, decisions/drafts). A draft whose save
 * has begun stays, because the next start completes the save. A signature or a filled-in sheet stays as long as its
 * visit, and the hash chain of a day's photos as long as a visit of that day. The user's own sentences stay until the
 * logout.
 * @param touchedBefore drafts last written before this time (epoch ms) are a day old, even if the clock was set (EX3)
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
    // The removal fails if the user has just changed the draft. The draft then stays.
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

async function belongsToVisit({ requests }: SyncDatabase, key: string): Promise<boolean> {
  const visit = visitOfDraft(key)
  const workingDate = dayOfPhotoChain(key)
  if (visit === null && workingDate === null) return false
  const selector = visit === null ? { workingDate: workingDate ?? '' } : { key: visit }
  return (await requests.findOne({ selector }).exec()) !== null
}

/** The entries of the history that have not expired. @param now epoch ms */
const freshHistory = ({ history = [] }: Pick<StoredRecord, 'history'>, now: number) =>
  history.filter(({ stamp }) => !isOlder(stamp, now))

/**
 * Removes entries of `history` a day after the read that found them (RULES EX1, MG5), because no later read confirms
 * an entry. A record with an unsent edit keeps all entries, because the merge needs them.
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

/** Milliseconds that a deleted document stays in the storage, because a query of another tab may still read it. */
const DELETED_FOR_MS = 60_000

export interface Replicating {
  collection: { name: string }
}

interface CleanUpParts {
  db: SyncDatabase
  replications: readonly Replicating[]
  /** Epoch milliseconds of the clock that stamps RxDB's writes. */
  now: () => number
}

/**
 * Removes deleted documents from the storage (RULES EX4). RxDB stores a deleted document with its whole content. The
 * replication stores another copy in its metadata.
 *
 *     deleted ─→ remove the document ─→ remove the replication's metadata of it
 *
 * The document is removed first. Without its metadata a document would look like an unsent write, which no pull
 * overwrites. Without a connection RxDB may write the metadata after the document's removal, so later runs look for
 * this metadata again.
 * @returns a function that cleans the collections one by one while the screen is idle
 */
export function createCleanUp({ db, replications, now }: CleanUpParts): () => Promise<void> {
  let isFirst = true
  /** By collection, the keys of removed documents whose metadata RxDB may write later. */
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
      // A crash may have left metadata of a removed document, so the first run checks all keys.
      const keys = isFirst ? null : [...new Set([...removed, ...repeated])]
      if (keys === null || keys.length > 0) await cleaning.forget(age, keys)
    }
    isFirst = false
  }
}
