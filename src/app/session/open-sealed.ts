/** Prepares the encryption of a user's stores before they are opened (decisions/encryption). */
import { withoutData, type DataLocks } from '#data/database/data-lock.ts'
import { createSealer, type Sealer } from '#data/encryption/key-ring.ts'
import { lockedRowIds, lockRows } from '#data/locked/locked-rows.ts'
import { SealError } from '#data/encryption/seal.ts'
import { withoutKeys, isLocked } from '#data/encryption/stored-keys.ts'
import type { Keys } from '#app/session/state/keys.ts'

interface OpenSealer {
  name: string
  keys: Keys
  locks: DataLocks
}

interface OpenedSealer {
  sealer: Sealer
  forget: () => void
}

/**
 * Opens the encryption. First moves away rows whose key is not usable, if a login has set the flag `isToSetAside`.
 * @throws SealError if the user has no usable key, because the screen is locked or a login is necessary
 */
export async function openSealer(parts: OpenSealer): Promise<OpenedSealer> {
  const { name, keys, locks } = parts
  const ring = keys.ring(name)
  const hasUnreadable = async () => (await keys.record(name))?.isToSetAside === true
  const [isDue] = await Promise.all([hasUnreadable(), ring.current()])
  if (isDue) {
    await withoutData(locks, name, () => lockUnreadable(parts), hasUnreadable)
    // If the flag is still set, `lockUnreadable` could not run, because another tab has the database open.
    if (await hasUnreadable()) throw new Error('the stores are open in another tab')
  }
  return { sealer: createSealer(crypto, ring), forget: ring.forget }
}

/**
 * Moves rows that no usable key can decrypt out of the user's database. They wait in a separate store for the earlier
 * password (`locked-rows.ts`).
 */
async function lockUnreadable({ name, keys }: OpenSealer): Promise<void> {
  const record = await keys.record(name)
  // Without a usable current key (after a logout or screen lock) no row is moved, because the user's password opens the
  // rows again.
  if (isLocked(record)) throw new SealError('no-key', 'keys')
  const all = record?.keys ?? []
  const usable = new Set(all.flatMap(({ id, usable: key }) => (key ? [id] : [])))
  const locked = new Set(all.flatMap(({ id }) => (usable.has(id) ? [] : [id])))
  await lockRows({ indexedDB, ranges: IDBKeyRange, user: name, isOpen: (id) => usable.has(id) })
  const isAny = (await lockedRowIds(indexedDB, name)).length > 0
  await keys.change(name, (now) => ({
    // If no row waits for an earlier password, the keys that are not usable encrypt nothing and are removed.
    ...(isAny ? now : withoutKeys(now, locked)),
    // The flag stays set if another login has created a new key while the rows were moved.
    isToSetAside: now.isToSetAside && now.current !== record?.current,
  }))
}
