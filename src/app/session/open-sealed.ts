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
  forget: () => void
}

/**
 * Opens the encryption before the stores are read.
 * @throws SealError if the user has no usable key, because the screen is locked or a login is necessary
 */
export async function openSealer(parts: OpenSealer): Promise<OpenedSealer> {
  const { name, keys, locks } = parts
  const ring = keys.ring(name)
  await ring.current()
  const isToSetAside = async () => (await keys.record(name))?.isToSetAside === true
  await withoutData(locks, name, () => lockUnreadable(parts), isToSetAside)
  // `lockUnreadable` has not run if another tab has the stores open.
  if (await isToSetAside()) throw new Error('the stores are open in another tab')
  return { sealer: createSealer(crypto, ring), forget: ring.forget }
}

/** Moves data that no usable key can decrypt to the locked data (`lock-rows.ts`). */
async function lockUnreadable({ name, keys }: OpenSealer): Promise<void> {
  const record = await keys.record(name)
  // If the user has logged out or locked the screen, the password can still open the data, so nothing is moved.
  if (isLocked(record)) throw new SealError('no-key', 'keys')
  const all = record?.keys ?? []
  const usable = new Set(all.flatMap(({ id, usable: key }) => (key ? [id] : [])))
  const locked = new Set(all.flatMap(({ id }) => (usable.has(id) ? [] : [id])))
  await lockRows({ indexedDB, ranges: IDBKeyRange, user: name, isOpen: (id) => usable.has(id) })
  const isAny = (await lockedRowIds(indexedDB, name)).length > 0
  await keys.change(name, (now) => ({
    // If no locked rows exist, the unusable keys are removed, because they encrypt nothing.
    ...(isAny ? now : withoutKeys(now, locked)),
    // The mark stays if another login has created a new key meanwhile.
    isToSetAside: now.isToSetAside && now.current !== record?.current,
  }))
}
