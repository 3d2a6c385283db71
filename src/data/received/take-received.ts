/**
 * Gives waiting photos to a form, and removes each once the form's draft has it on disk, or has refused it. Killed in
 * between, a photo is in both: it waits under the key that it has in the draft, so it is removed then, and not added
 * again.
 */
import type { Cryptography } from '#data/encryption/seal.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import type { Database } from '#data/database/database.ts'
import { fileOpener } from './received-keys.ts'
import type { ReceivedStore, WaitingPhoto } from './received-store.ts'

/** Files in memory at once; as many as are read at once. */
const AT_ONCE = 3
const LOCK = 'genba-received'

interface ReceivedParts {
  store: ReceivedStore
  db: Database
  sealer: Sealer
  cryptography: Cryptography
}

export interface TakeReceived extends ReceivedParts {
  /** Photos that were chosen for the form; those that wait no more are skipped. */
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

/** The user's waiting photos. Those that a draft or a saved photo has already are removed. */
export async function waitingPhotos({
  store,
  db,
}: Pick<ReceivedParts, 'store' | 'db'>): Promise<WaitingPhoto[]> {
  const own = (await store.waiting()).filter(({ user }) => user === db.name)
  if (own.length === 0) return []
  // Drafts before photos: a save creates the photo before it removes it from the draft.
  const drafts = await db.drafts.find().exec()
  const saved = await db.photos.findByIds(own.map(({ id }) => id)).exec()
  const taken = new Set([...saved.keys(), ...drafts.flatMap((draft) => draft.photos.map(({ key }) => key))])
  const over = own.filter(({ id }) => taken.has(id)).map(({ id }) => id)
  if (over.length > 0) await store.remove(over)
  return own.filter(({ id }) => !taken.has(id))
}

export async function takeReceived(parts: TakeReceived): Promise<void> {
  const { locks } = parts
  await (locks ? locks.request(LOCK, () => takeAll(parts)) : takeAll(parts))
}

async function takeAll(parts: TakeReceived): Promise<void> {
  const { ids, store, db, add } = parts
  const photos = (await waitingPhotos(parts)).filter(({ id }) => ids.includes(id))
  const opened = await fileOpener({ ...parts, user: db.name })
  for (let at = 0; at < photos.length; at += AT_ONCE) {
    const some = photos.slice(at, at + AT_ONCE)
    const files = await Promise.all(some.map(opened))
    const found = some.flatMap(({ id }, n) => (files[n] ? [{ id, file: files[n] }] : []))
    const over: string[] = []
    await add(
      found.map(({ file }) => file),
      { keys: found.map(({ id }) => id), done: (key) => void over.push(key) },
    )
    await store.remove(over)
  }
}
