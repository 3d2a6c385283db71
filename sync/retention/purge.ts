/**
 * What is over leaves the device: changes that ended, photos that are deleted or whose record is gone, drafts that nobody opened again,
 * what records said a day ago, questions of screens that were answered long ago (RULES EX1). Never what is unsent (SV3).
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
  /** What was typed before this is a day old, epoch ms. */
  typedBefore: number
}

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
  // the pull keeps account of its own, the marks
  const questions = await questionsIn(db)
  const old = questions.filter(({ state, answeredAt }) => state !== 'asked' && answeredAt < before)
  await db.interests.bulkRemove(old.map(({ key }) => key))
}

/** The photo, then its bytes; what was renamed or deleted in this moment stays, and is sent. */
async function forget(db: SyncDatabase, bytes: PhotoBytes | undefined, key: string): Promise<void> {
  const doc = await db.photos.findOne(key).exec()
  const written = await doc?.incrementalModify((photo) =>
    photo.unsent === 'no' ? { ...photo, _deleted: true } : photo,
  )
  if (written?.deleted) await bytes?.remove(key)
}
