/** Applies 再送 and 破棄 of a photo under its lock, so that no photo is discarded while it is being sent. */
import type { SendFacts } from '#schemas/change.ts'
import { savedAnew } from '#schemas/changes/photo-queue.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import { carryOut } from '#sync/changes/requested.ts'
import { isoNow, mayBeDone } from '#sync/changes/unsent.ts'
import { withPhotoLock } from './photo-lock.ts'
import type { PhotoStore } from './photo-store.ts'

interface Parts {
  store: PhotoStore
  locks: Locks
  now: () => number
}

/** Applies the users' requests (`wish`) for these photos. */
export const grantPhotoWishes =
  (parts: Parts) =>
  async (keys: readonly string[]): Promise<void> => {
    const grant = (key: string) =>
      withPhotoLock(parts, key, (store) =>
        carryOut(store.states, key, parts.now, {
          mayBeMadeTwice: (entry) => mayBeDone(entry) || (entry.kind === 'upload' && entry.payload !== ''),
          discard: (entry) => discard(store, entry, isoNow(parts)),
        }),
      )
    // a photo in progress has its lock, so requests for the others do not wait for it
    await Promise.all(keys.map(grant))
  }

/**
 * The only code that discards an unsent photo (RULES SV3). A rename or deletion that may have arrived is undone by
 * the sender.
 */
async function discard(store: PhotoStore, photo: SendFacts, settledAt: string): Promise<void> {
  const { states } = store
  const { id: key, kind, serverId } = photo
  if (kind === 'delete' && serverId === '') return store.modify(key, (latest) => savedAnew(latest, WANTED))
  if (!mayBeDone(photo)) {
    await states.tell(key, 'discarded', { wish: 'none', settledAt })
    return kind === 'upload' ? store.bytes.remove(key) : undefined
  }
  if (kind === 'upload') return store.modify(key, (latest) => savedAnew(latest, UNWANTED))
  return photo.state === 'unknown' ? undefined : states.tell(key, 'resentInDoubt')
}

const WANTED = { wanted: 'kept' } as const
const UNWANTED = { wanted: 'deleted' } as const
