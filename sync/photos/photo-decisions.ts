/** Applies 再送 and 破棄 of a photo under its lock, so that no photo is discarded while it is being sent. */
import type { SendFacts } from '#schemas/change.ts'
import { savedAnew } from '#schemas/changes/photo-queue.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import { applyUserRequest } from '#sync/changes/requested.ts'
import { isoNow, mayHaveArrived } from '#sync/changes/unsent.ts'
import { withPhotoLock, type PhotoStore } from './photo-store.ts'

interface Parts {
  store: PhotoStore
  locks: Locks
  now: () => number
}

/** Applies the users' requests (`wish`) for these photos. */
export const applyPhotoRequests =
  (parts: Parts) =>
  async (keys: readonly string[]): Promise<void> => {
    const apply = (key: string) =>
      withPhotoLock(parts, key, (store) =>
        applyUserRequest(store.states, key, parts.now, {
          needsReadBack: (entry) =>
            mayHaveArrived(entry) || (entry.kind === 'upload' && entry.payload !== ''),
          discard: (entry) => discard(store, entry, isoNow(parts)),
        }),
      )
    // a photo in progress has its lock, so requests for the others do not wait for it
    await Promise.all(keys.map(apply))
  }

/**
 * The only code that discards an unsent photo (RULES SV3). A rename or deletion that may have arrived is undone by
 * the sender.
 */
async function discard(store: PhotoStore, photo: SendFacts, settledAt: string): Promise<void> {
  const { states } = store
  const { id: key, kind, serverId } = photo
  if (kind === 'delete' && serverId === '') return store.modify(key, (latest) => savedAnew(latest, WANTED))
  if (!mayHaveArrived(photo)) {
    await states.putById(key, 'discarded', { wish: 'none', settledAt })
    return kind === 'upload' ? store.bytes.remove(key) : undefined
  }
  if (kind === 'upload') return store.modify(key, (latest) => savedAnew(latest, UNWANTED))
  return photo.state === 'unknown' ? undefined : states.putById(key, 'resentInDoubt')
}

const WANTED = { wanted: 'kept' } as const
const UNWANTED = { wanted: 'deleted' } as const
