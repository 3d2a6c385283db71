/**
 * Deletes what has expired: ledger rows, photos without a record, old drafts, old history, and questions that
 * were answered long ago (RULES EX1). Never deletes what is unsent (SV3).
 */
import { photoAct, photoChangeId } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { expireDrafts } from './draft-expiry.ts'
import { expiredBefore } from './expiry.ts'
import { expireHistory } from './history-expiry.ts'
import { questionsIn } from '../storage/interests.ts'
import type { PhotoBytes } from '../photos/ports.ts'
import type { QueueStore } from '#sync/changes/change-store.ts'
import { createLedger } from '#sync/changes/ledger.ts'

interface Parts {
  db: SyncDatabase
  store: QueueStore
  bytes: PhotoBytes | undefined
  /** Epoch ms. */
  now: number
  /** Input from before this time is a day old, epoch ms. */
  typedBefore: number
}

/** Runs one purge. */
export async function purge({ db, store, bytes, now, typedBefore }: Parts): Promise<void> {
  await store.ledger.purge(now, () => false)
  const photos = (await db.photos.find().exec()).map((doc) => doc.toMutableJSON())
  const inUse = new Set(photos.flatMap(unsentIds))
  await createLedger(db).purge(now, ({ id }) => inUse.has(id))
  const before = expiredBefore(now)
  for (const { key, unsent, savedAt, resource, recordKey } of photos)
    if (unsent === 'no' && savedAt < before && !(await store.record(resource, recordKey)))
      await forget(db, bytes, key)
  await expireDrafts(db, bytes, typedBefore)
  await expireHistory(db, now)
  // The pull manages its own receipts.
  const questions = await questionsIn(db)
  const old = questions.filter(({ state, answeredAt }) => state !== 'asked' && answeredAt < before)
  await db.interests.bulkRemove(old.map(({ key }) => key))
}

/** Ids of the ledger rows that are needed for an unsent photo. */
function unsentIds(photo: PhotoRecord): string[] {
  const act = photoAct(photo)
  return act ? [photo.key, photoChangeId(photo, act)] : []
}

/**
 * Deletes a photo, then its bytes. A photo that was just renamed or deleted stays, because that must be sent.
 */
async function forget(db: SyncDatabase, bytes: PhotoBytes | undefined, key: string): Promise<void> {
  const doc = await db.photos.findOne(key).exec()
  const written = await doc?.incrementalModify((photo) =>
    photo.unsent === 'no' ? { ...photo, _deleted: true } : photo,
  )
  if (written?.deleted) await bytes?.remove(key)
}
