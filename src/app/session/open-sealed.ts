/** Finds the stores of a user's present data key, and prepares their encryption (decisions/encryption). */
import { storesName } from '#data/database/database-name.ts'
import { createSealer, type Sealer } from '#data/encryption/key-ring.ts'
import type { Keys } from '#app/session/state/keys.ts'

interface OpenedSealer {
  /** Name of the stores. Stores of earlier keys are locked data. */
  name: string
  sealer: Sealer
  /** False once a login has changed the key. The stores must then not be opened, because their key may be forgotten. */
  isCurrent: () => Promise<boolean>
  forget: () => void
}

/** @throws SealError if the user has no usable key, because the screen is locked or a login is necessary */
export async function openSealer(user: string, keys: Pick<Keys, 'ring' | 'record'>): Promise<OpenedSealer> {
  const ring = keys.ring(user)
  const { id } = await ring.current()
  return {
    name: storesName(user, id),
    sealer: createSealer(ring),
    isCurrent: async () => (await keys.record(user))?.current === id,
    forget: ring.forget,
  }
}
