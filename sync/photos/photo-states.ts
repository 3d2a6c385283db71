/**
 * The send states of photos, each in the photo's own document: what happened, what the file store has since, and what was
 * saved meanwhile is one write.
 */
import { blankProgress, type QueueItem } from '#schemas/changes/change-queue.ts'
import { isActOf, isBeingSent, photoAct, photoFacts, withUnsent } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { LedgerEvent } from '#schemas/send-state.ts'
import {
  factsOf,
  mayBegin,
  stating,
  Unwanted,
  unlessUnwanted,
  type FactsOf,
  type SendStates,
  type StateFacts,
  type StateParts,
} from '#sync/changes/send-states.ts'

interface Documents {
  all(keys?: readonly string[]): Promise<PhotoRecord[]>
  /** Atomic; nothing where there is none. */
  modify(key: string, change: (photo: PhotoRecord) => PhotoRecord): Promise<void>
}

export function createPhotoStates({ all, modify }: Documents, parts: StateParts): SendStates {
  const { unknown, after } = stating<PhotoRecord>(parts)
  const told = (photo: PhotoRecord, event: LedgerEvent, facts: StateFacts) =>
    settled(photo, after(photo, event, facts), event)
  const put = async (items: readonly QueueItem[], event: LedgerEvent, facts: FactsOf, guard?: Guard) => {
    const written = items.map((item) =>
      modify(item.record.key, (photo) => {
        guard?.(item)(photo)
        if (isBeingSent(photo, item)) return told(photo, event, factsOf(facts, item))
        // another name or a deletion was saved meanwhile: that is still to be done
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
    tell: (key, event, facts = {}) => modify(key, (photo) => told(photo, event, facts)),
    granted: (key, wish) =>
      modify(key, (photo) => (photo.wish === wish ? { ...photo, wish: 'none' } : photo)),
  }
}

/** @throws where the call of it must not leave */
type Guard = (item: QueueItem) => (photo: PhotoRecord) => void

/** Nothing is wished of an act that is over, and what it leaves to be done begins anew (RULES SV2b). */
function settled(before: PhotoRecord, now: PhotoRecord, event: LedgerEvent): PhotoRecord {
  if (event !== 'accepted' && event !== 'discarded') return withUnsent(now)
  const over = { ...now, wish: 'none' as const }
  const done = event === 'discarded' ? { ...over, ...takenBack(before) } : over
  const isGone = done.wanted === 'deleted' && (done.fileSeq === '' || before.fileSeq !== '')
  const anew = { ...done, ...blankProgress(done.savedAt) }
  return withUnsent(isGone || photoAct(anew) === null ? done : anew)
}

/** An upload that is discarded takes the photo along; another name or a deletion is taken back. */
function takenBack(photo: PhotoRecord): Partial<PhotoRecord> {
  if (photo.fileSeq === '') return { wanted: 'deleted' }
  return photo.wanted === 'deleted' ? { wanted: 'kept' } : { name: photo.storeName }
}

const placeIn = ({ fileSeq, folderId, storeName }: StateFacts): Partial<PhotoRecord> => ({
  ...(fileSeq !== undefined && { fileSeq }),
  ...(folderId !== undefined && { folderId }),
  ...(storeName !== undefined && { storeName }),
})
