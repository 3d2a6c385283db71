/**
 * Writes the send states of photos, each in the photo's own document. The event of sending (began, accepted …), what the
 * file store answered, and later saves are combined in one write.
 */
import { blankProgress, type QueueItem } from '#schemas/changes/change-queue.ts'
import { isActOf, isBeingSent, photoAct, photoFacts, withUnsent } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { StateEvent } from '#schemas/send-state.ts'
import {
  factsOf,
  mayBegin,
  stateWriter,
  Unwanted,
  unlessUnwanted,
  type FactsOf,
  type SendStates,
  type StateFacts,
  type StateParts,
} from '#sync/changes/send-states.ts'

interface Documents {
  all(keys?: readonly string[]): Promise<PhotoRecord[]>
  /** Changes a photo in one atomic write. Does nothing if there is no such photo. */
  modify(key: string, change: (photo: PhotoRecord) => PhotoRecord): Promise<void>
}

export function createPhotoStates({ all, modify }: Documents, parts: StateParts): SendStates {
  const { unknown, after } = stateWriter<PhotoRecord>(parts)
  const stateAfter = (photo: PhotoRecord, event: StateEvent, facts: StateFacts) =>
    settled(photo, after(photo, event, facts), event)
  const put = async (items: readonly QueueItem[], event: StateEvent, facts: FactsOf, guard?: Guard) => {
    const written = items.map((item) =>
      modify(item.record.key, (photo) => {
        guard?.(item)(photo)
        if (isBeingSent(photo, item)) return stateAfter(photo, event, factsOf(facts, item))
        // another name or a deletion was saved during the call and is still pending
        return event === 'accepted' ? withUnsent({ ...photo, ...placeIn(factsOf(facts, item)) }) : photo
      }),
    )
    await Promise.all(written)
  }
  const guard: Guard = (item) => (photo) => {
    if (!isActOf(photo, item)) throw new Unwanted(photo.key)
    mayBegin(unknown)(item)(photo)
  }
  return {
    read: async (keys) => new Map((await all(keys)).map((photo) => [photo.key, photoFacts(photo)])),
    begin: (items, payload) => unlessUnwanted(put(items, 'began', { payload }, guard)),
    put: (items, event, facts = {}) => put(items, event, facts),
    putById: (key, event, facts = {}) => modify(key, (photo) => stateAfter(photo, event, facts)),
    clearWish: (key, wish) =>
      modify(key, (photo) => (photo.wish === wish ? { ...photo, wish: 'none' } : photo)),
  }
}

/** @throws if the call must not begin */
type Guard = (item: QueueItem) => (photo: PhotoRecord) => void

/** Ends an act: the user's `wish` is reset, and what remains to be done starts as a new act (RULES SV2b). */
function settled(before: PhotoRecord, now: PhotoRecord, event: StateEvent): PhotoRecord {
  if (event !== 'accepted' && event !== 'discarded') return withUnsent(now)
  const over = { ...now, wish: 'none' as const }
  const done = event === 'discarded' ? { ...over, ...reverted(before) } : over
  // After an upload the file still has to be deleted.
  const isDeleted = done.wanted === 'deleted' && (done.fileSeq === '' || before.fileSeq !== '')
  const anew = { ...done, ...blankProgress(done.savedAt) }
  return withUnsent(isDeleted || photoAct(anew) === null ? done : anew)
}

/** Discarding an upload deletes the photo. Discarding a deletion or a rename restores what the file store has. */
function reverted(photo: PhotoRecord): Partial<PhotoRecord> {
  if (photo.fileSeq === '') return { wanted: 'deleted' }
  return photo.wanted === 'deleted' ? { wanted: 'kept' } : { name: photo.storeName }
}

const placeIn = ({ fileSeq, folderId, storeName }: StateFacts): Partial<PhotoRecord> => ({
  ...(fileSeq !== undefined && { fileSeq }),
  ...(folderId !== undefined && { folderId }),
  ...(storeName !== undefined && { storeName }),
})
