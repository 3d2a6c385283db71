/**
 * Gives waiting photos to a form, and removes each once the form's draft has it on disk, or has refused it. A crash in
 * between leaves the photo waiting and in the draft, under the same key. The next read of the waiting photos removes
 * it.
 */
import type { Cryptography } from '#data/encryption/seal.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import type { Database } from '#data/database/database.ts'
import { usedPhotoKeys } from '#data/drafts/draft-rows.ts'
import { fileOpener } from './received-keys.ts'
import type { ReceivedStore, WaitingPhoto } from './received-store.ts'

/** Number of files in memory at once, equal to the number that a form reads at once. */
const AT_ONCE = 3
const LOCK = 'genba-received'

interface ReceivedParts {
  store: ReceivedStore
  db: Database
  sealer: Sealer
  cryptography: Cryptography
}

export interface TakeReceived extends ReceivedParts {
  /** Ids of the photos that were chosen for the form. Photos that no longer wait are skipped. */
  ids: readonly string[]
  /** `navigator.locks`: two tabs must not take one photo for two forms. */
  locks: Pick<LockManager, 'request'> | undefined
  /**
   * Adds files to the form as if they were picked.
   * @param received the keys of the photos; `done` is called for each file that is stored or refused
   */
  add(
    files: readonly File[],
    received: { keys: readonly string[]; done(key: string): void },
  ): Promise<unknown>
}

/** The user's waiting photos. A photo that is in a draft or saved already is removed from the store. */
export async function waitingPhotos({
  store,
  db,
}: Pick<ReceivedParts, 'store' | 'db'>): Promise<WaitingPhoto[]> {
  const own = (await store.waiting()).filter(({ user }) => user === db.name)
  if (own.length === 0) return []
  const ids = own.map(({ id }) => id)
  const used = await usedPhotoKeys(db, ids)
  const usedIds = ids.filter((id) => used.has(id))
  if (usedIds.length > 0) await store.remove(usedIds)
  return own.filter(({ id }) => !used.has(id))
}

/** Adds the chosen waiting photos to the form. */
export async function takeReceived(parts: TakeReceived): Promise<void> {
  const { locks } = parts
  await (locks ? locks.request(LOCK, () => takeAll(parts)) : takeAll(parts))
}

async function takeAll(parts: TakeReceived): Promise<void> {
  const { ids, store, db, add } = parts
  const photos = (await waitingPhotos(parts)).filter(({ id }) => ids.includes(id))
  const open = await fileOpener({ ...parts, user: db.name })
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
