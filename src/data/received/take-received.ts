/**
 * Moves shared photos into a form. Each photo is removed once the form's draft has stored or refused it. After a crash
 * in between, a photo is in both places under the same key, and the next read removes the waiting one.
 */
import { userOf } from '#data/database/database-name.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import type { Database } from '#data/database/database.ts'
import { usedPhotoKeys } from '#data/drafts/draft-rows.ts'
import { fileOpener } from './received-keys.ts'
import type { ReceivedStore } from './received-store.ts'

const AT_ONCE = 3
const LOCK = 'genba-received'

export interface TakeReceived {
  store: ReceivedStore
  db: Database
  sealer: Sealer
  /** Ids of the photos that the user has chosen. Photos that are already taken are skipped. */
  ids: readonly string[]
  /** `navigator.locks`, so that two tabs cannot take the same photo. */
  locks: Pick<LockManager, 'request'> | undefined
  /** Adds files to the form, as if the user had picked them. `done` must be called for each one stored or refused. */
  add(
    files: readonly File[],
    received: { keys: readonly string[]; done(key: string): void },
  ): Promise<unknown>
}

/** Returns the user's waiting photos. Photos that are already in a draft or saved are removed from the store. */
export async function waitingPhotos({ store, db }: Pick<TakeReceived, 'store' | 'db'>) {
  const own = (await store.waiting()).filter(({ user }) => user === userOf(db.name))
  if (own.length === 0) return []
  const ids = own.map(({ id }) => id)
  const used = await usedPhotoKeys(db, ids)
  const usedIds = ids.filter((id) => used.has(id))
  if (usedIds.length > 0) await store.remove(usedIds)
  return own.filter(({ id }) => !used.has(id))
}

/** Moves the chosen photos into the form, under a lock for all tabs. */
export async function takeReceived(parts: TakeReceived): Promise<void> {
  const { locks } = parts
  await (locks ? locks.request(LOCK, () => takeAll(parts)) : takeAll(parts))
}

async function takeAll(parts: TakeReceived): Promise<void> {
  const { ids, store, db, add } = parts
  const photos = (await waitingPhotos(parts)).filter(({ id }) => ids.includes(id))
  const open = await fileOpener({ ...parts, user: userOf(db.name) })
  // A few photos at a time are decrypted, because all of them would fill the memory.
  for (let start = 0; start < photos.length; start += AT_ONCE) {
    const some = photos.slice(start, start + AT_ONCE)
    const files = await Promise.all(some.map(open))
    const readable = some.flatMap(({ id }, n) => (files[n] ? [{ id, file: files[n] }] : []))
    const doneIds: string[] = []
    await add(
      readable.map(({ file }) => file),
      { keys: readable.map(({ id }) => id), done: (key) => void doneIds.push(key) },
    )
    await store.remove(doneIds)
  }
}
