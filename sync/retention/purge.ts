/**
 * Deletes what has expired: changes that ended, deleted photos and photos without a record, old drafts, old
 * history, and questions that were answered long ago (RULES EX1). Never deletes what is unsent (SV3).
 */
import type { SyncDatabase } from '../storage/database.ts'
import { expireDrafts } from './draft-expiry.ts'
import { expiredBefore } from './expiry.ts'
import { expireHistory } from './history-expiry.ts'
import { questionsIn } from '../storage/interests.ts'
import type { PhotoBytes } from '../photos/ports.ts'
import type { QueueStore } from '#sync/changes/change-store.ts'

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
  await store.states.purge(now)
  const photos = (await db.photos.find().exec()).map((doc) => doc.toMutableJSON())
  const before = expiredBefore(now)
  const over = photos.filter(({ unsent, savedAt }) => unsent === 'no' && savedAt < before)
  for (const { key, wanted, settledAt, resource, recordKey } of over) {
    const isGone = wanted === 'deleted' && settledAt < before
    if (isGone || !(await store.record(resource, recordKey))) await forget(db, bytes, key)
  }
  await expireDrafts(db, bytes, typedBefore)
  await expireHistory(db, now)
  // The pull manages its own receipts.
  const questions = await questionsIn(db)
  const old = questions.filter(({ state, answeredAt }) => state !== 'asked' && answeredAt < before)
  await db.interests.bulkRemove(old.map(({ key }) => key))
}

/** Deletes a photo, then its bytes. A photo that was just renamed or deleted stays, because that must be sent. */
async function forget(db: SyncDatabase, bytes: PhotoBytes | undefined, key: string): Promise<void> {
  const doc = await db.photos.findOne(key).exec()
  const written = await doc?.incrementalModify((photo) =>
    photo.unsent === 'no' ? { ...photo, _deleted: true } : photo,
  )
  if (written?.deleted) await bytes?.remove(key)
}
