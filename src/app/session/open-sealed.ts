/** Opens the encryption of a user's stores (decisions/encryption). */
import { withoutData, type DataLocks } from '#data/database/data-lock.ts'
import { createSealer, type Sealer } from '#data/encryption/key-ring.ts'
import { lockedRowIds } from '#data/locked/locked-rows.ts'
import { SealError } from '#data/encryption/seal.ts'
import { lockRows } from '#data/locked/lock-rows.ts'
import { withoutKeys } from '#data/encryption/stored-keys.ts'
import { isLocked } from '#data/encryption/stored-keys.ts'
import type { Keys } from '#app/session/state/keys.ts'

interface OpenSealer {
  name: string
  keys: Keys
  locks: DataLocks
}

interface OpenedSealer {
  sealer: Sealer
  /** Removes the keys from this page's memory. */
  forget: () => void
}

/**
 * Opens the encryption before the stores are read.
 * @throws SealError if no key of the user can be used: the screen is locked, or the user must log in again
 */
export async function openSealer(parts: OpenSealer): Promise<OpenedSealer> {
  const { name, keys, locks } = parts
  const ring = keys.ring(name)
  await ring.current()
  const isToSetAside = async () => (await keys.record(name))?.isToSetAside === true
  await withoutData(locks, name, () => lockUnreadable(parts), isToSetAside)
  // Another tab has the stores open, so the locking above did not run.
  if (await isToSetAside()) throw new Error('the stores are open in another tab')
  return { sealer: createSealer(crypto, ring), forget: ring.forget }
}

/** Marks data that no usable key opens as locked data (`lock-rows.ts`). */
async function lockUnreadable({ name, keys }: OpenSealer): Promise<void> {
  const record = await keys.record(name)
  // The user has logged out or locked the screen meanwhile. The password still opens this data.
  if (isLocked(record)) throw new SealError('no-key', 'keys')
  const all = record?.keys ?? []
  const usable = new Set(all.flatMap(({ id, usable: key }) => (key ? [id] : [])))
  const locked = new Set(all.flatMap(({ id }) => (usable.has(id) ? [] : [id])))
  await lockRows({ indexedDB, ranges: IDBKeyRange, user: name, isOpen: (id) => usable.has(id) })
  const isAny = (await lockedRowIds(indexedDB, name)).length > 0
  await keys.change(name, (now) => ({
    // Without locked rows, nothing is encrypted with these keys, so they are removed.
    ...(isAny ? now : withoutKeys(now, locked)),
    // A login meanwhile may have created another key.
    isToSetAside: now.isToSetAside && now.current !== record?.current,
  }))
}
