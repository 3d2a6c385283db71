/**
 * Sends the upload, rename or deletion of one photo (crm-contract 5) under the photo's lock, with the steps of
 * `changes/attempt.ts`. Also applies 再送 and 破棄:
 *
 *     upload: read back by name in the folder; waits until the folder of its record is known (RULES OR2)
 *     rename, delete: read back by the file's id; a file that no longer exists counts as deleted
 */
import { photoAct, photoItem, savedAnew } from '#schemas/changes/photo-queue.ts'
import { attempt, isoNow, mayHaveArrived } from '#sync/changes/attempt.ts'
import { DONE, type Step } from '#sync/changes/send-adapter.ts'
import { photoAdapter, type SendParts } from './photo-acts.ts'
import { withPhotoLock, type PhotoStore } from './photo-store.ts'
import type { SendFacts } from '#schemas/change.ts'
import { applyUserRequest } from '#sync/changes/sender.ts'

/** Sends a photo until the file store has its current state, or a call fails. */
export const sendPhoto = (parts: SendParts, key: string): Promise<Step> =>
  withPhotoLock(parts, key, async (store, lease) => {
    const work = { ...parts, lease, store, states: store.states }
    for (;;) {
      const photo = await store.photo(key)
      const act = photo && photoAct(photo)
      const item = photo && photoItem(photo)
      if (!photo || !act || !item) return DONE
      const end = await attempt(photoAdapter(work, act), { item, photo })
      if (end.kind !== 'more') return end
    }
  })

/** Applies 再送 and 破棄, each under the photo's lock, so that no photo is discarded while it is being sent. */
export const applyPhotoRequests =
  (parts: Pick<SendParts, 'store' | 'locks' | 'now'>) =>
  async (keys: readonly string[]): Promise<void> => {
    const apply = (key: string) =>
      withPhotoLock(parts, key, (store) =>
        applyUserRequest(store.states, key, parts.now, {
          needsReadBack: (entry) =>
            mayHaveArrived(entry) || (entry.kind === 'upload' && entry.payload !== ''),
          discard: (entry) => discard(store, entry, isoNow(parts)),
        }),
      )
    // The photos are handled in parallel, because the upload of one photo may own its lock for minutes.
    await Promise.all(keys.map(apply))
  }

/**
 * Discards an unsent photo. No other code discards photos (RULES SV3). A rename or deletion that may have arrived is
 * undone by the sender.
 */
async function discard(store: PhotoStore, photo: SendFacts, settledAt: string): Promise<void> {
  const { states } = store
  const { id: key, kind, serverId } = photo
  if (kind === 'delete' && serverId === '')
    return store.modify(key, (latest) => savedAnew(latest, { wanted: 'kept' }))
  if (!mayHaveArrived(photo)) {
    await states.putById(key, 'discarded', { wish: 'none', settledAt })
    return kind === 'upload' ? store.bytes.remove(key) : undefined
  }
  if (kind === 'upload') return store.modify(key, (latest) => savedAnew(latest, { wanted: 'deleted' }))
  return photo.state === 'unknown' ? undefined : states.putById(key, 'resentInDoubt')
}
