/**
 * The photos of a form. A form with photos uses them like this:
 *
 *     const photos = useFormPhotos({ resource: 'noteLocationAreas', recordKey, requestId, workingDate }, draftKey)
 *     …<RecordForm draft={photos.draft} write={(draft) => (saver, key) => saveNote(…)} …>
 *       <PhotosField photos={photos} label={t`写真`} />
 *     </RecordForm>
 *
 * The form's draft stores an added photo at once, and marks a deleted photo. The save first writes the record, and then
 * adds and deletes the photos. `data/drafts/save-draft.ts` explains the order and what a crash does.
 */
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useEffect, useRef, useState } from 'react'
import { filter, firstValueFrom } from 'rxjs'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { QueueItem, SendState } from '#schemas/changes/change-queue.ts'
import { useLiveQuery, useUserData } from '#data/context/app-context.tsx'
import { draft$, markUnwanted, removeDraftPhoto, type UndoOffer } from '#data/drafts/drafts.ts'
import type { DraftTarget } from '#data/drafts/save-draft.ts'
import { useOfferUndo } from '#data/outbox/use-undo-offer.ts'
import { photosOf$ } from '#data/photos/photos.ts'
import { useReceived } from '#data/received/use-received.ts'
import { wish } from '#data/fetch-requests/wishes.ts'
import { shownPhoto, type ShownPhoto } from './shown-photo.ts'
import { useRequestedPhotos } from './record-photos.tsx'
import { useTaking } from './use-taking.ts'
import type { FormBinding } from './use-untaken.ts'

export interface FormPhoto extends ShownPhoto {
  state: SendState | 'done' | 'draft'
  /** The photo's unsent upload or deletion; null if there is none. */
  unsent: QueueItem | null
  isPlacing: boolean
}

export type FormPhotos = ReturnType<typeof useFormPhotos>

/** Facts about a photo that is only in a draft, not yet in a saved record. */
const ONLY_HERE = {
  revision: '',
  isInFileStore: false,
  hasFailed: false,
  state: 'draft',
  unsent: null,
} as const

/**
 * Returns the photos of a form, and the functions that change them.
 * @param target the record; for a new record, with the key that it will get
 * @param draftKey key of the form's draft
 * @param isThere true if the CRM has the record, which may then have photos that the device does not know
 */
export function useFormPhotos(target: DraftTarget, draftKey: string, isThere = false) {
  const { resource, recordKey } = target
  const data = useUserData()
  const { binding, bind } = useBinding()
  const saved = useLiveQuery(`photos ${resource} ${recordKey}`, (db) => photosOf$(db, resource, recordKey))
  const draft = useLiveQuery(`draft ${draftKey}`, (db) => draft$(db, draftKey))
  const rest = useRequestedPhotos(isThere ? target : null)
  const { add, warm, loading, placing, settled } = useTaking(draftKey, target.requestId, binding)
  const received = useReceived(add)
  const { remove, removing, removed, endOffers } = useRemovalOffers()
  // Keys of the record's stored photos that the next save deletes.
  const unwanted = draft?.unwanted ?? []
  const ofRecord = (saved ?? []).filter(({ photo }) => ![...unwanted, ...removing].includes(photo.key))
  const isSaved = (key: string) => (saved ?? []).some(({ photo }) => photo.key === key)
  const ofDraft = (draft?.photos ?? []).filter(({ key }) => !isSaved(key) && !removing.includes(key))
  const items: FormPhoto[] = [
    ...ofRecord.map(({ photo, unsent }) => ({
      ...shownPhoto(photo),
      state: unsent ? unsent.state : ('done' as const),
      unsent,
      isPlacing: placing.includes(photo.key),
    })),
    ...ofDraft.map((photo) => ({ ...photo, ...ONLY_HERE, isPlacing: placing.includes(photo.key) })),
  ]
  /** Waits until all picked files are read. @returns false if one was not accepted: the form is then not saved */
  const ready = async () => {
    const areAllAdded = await received().then(settled)
    if (areAllAdded) endOffers()
    return areAllAdded
  }
  return {
    items,
    /** Picked files that are being read. Each then becomes one of `items`, unless it is refused. */
    loading: loading.filter(({ key }) => items.every((item) => item.key !== key)),
    /** Why `items` lacks photos of the record; null if it is complete. */
    rest,
    /** True if photos were added or deleted since the last save, or are being added. */
    changed: ofDraft.length + unwanted.length + removing.length + loading.length > 0,
    /** True if a photo could not be sent. */
    failed: items.some(({ state }) => state === 'failed' || state === 'expired'),
    /** Adds files as photos. @returns the number of files that were stored on the device */
    add: (files: readonly File[]) => add(files),
    warm,
    remove({ key }: FormPhoto) {
      if (!data) return
      const isInDraft = !isSaved(key)
      const removal = isInDraft ? removeDraftPhoto(data, draftKey, key) : markUnwanted(data.db, draftKey, key)
      const isUnlisted = (now: FormDraft) =>
        isInDraft ? now.photos.every((photo) => photo.key !== key) : now.unwanted.includes(key)
      void remove(key, removal, () => firstValueFrom(draft$(data.db, draftKey).pipe(filter(isUnlisted))))
    },
    resend({ unsent }: FormPhoto) {
      if (data && unsent) void wish(data.db, unsent, 'resend')
    },
    /** The form's draft, and the record that its save creates or changes. `settled` resolves once removals are stored. */
    draft: { key: draftKey, target, settled: removed, ready },
    /** Connects the photos with the form's file picker and `isGivenUp`. */
    bind,
  }
}

/** Returns the connection to the form, and `bind`, which connects the form after its first render. */
function useBinding() {
  const [bound] = useState(() => {
    let form: FormBinding = { isGivenUp: () => false, pick: () => undefined }
    const binding: FormBinding = { isGivenUp: () => form.isGivenUp(), pick: () => form.pick() }
    return { binding, bind: (rendered: FormBinding) => void (form = rendered) }
  })
  return bound
}

/** Deletes photos of a form. A photo disappears at once, and 元に戻す is offered until the form is saved or closed. */
function useRemovalOffers() {
  const { i18n } = useLingui()
  const offerUndo = useOfferUndo()
  // Functions that end the offers of 元に戻す.
  const ends = useRef(new Set<() => void>())
  const endOffers = () => {
    for (const end of ends.current) end()
    ends.current.clear()
  }
  useEffect(() => {
    const open = ends.current
    return () => {
      for (const end of open) end()
    }
  }, [])
  // Keys of photos that are hidden although the form still lists them.
  const [removing, setRemoving] = useState<readonly string[]>([])
  // Removals that the device has not stored yet, by photo.
  const underWay = useRef(new Map<string, Promise<unknown>>())
  /** Deletes a photo; it reappears if the device refuses. @param unlisted resolves once the form no longer lists it */
  const remove = async (
    key: string,
    removal: Promise<UndoOffer | null>,
    unlisted: () => Promise<unknown>,
  ) => {
    const unhide = () => setRemoving((before) => before.filter((each) => each !== key))
    setRemoving((before) => [...before, key])
    underWay.current.set(key, removal)
    try {
      const undo = await removal
      const back = async () => {
        unhide()
        return (undo as UndoOffer).back()
      }
      // `undo` is null if an earlier press already deleted the photo.
      if (undo) ends.current.add(offerUndo(i18n._(msg`写真を削除しました。`), { ...undo, back }))
      // Once the form no longer lists the photo, nothing has to hide it.
      void unlisted().then(() => setTimeout(unhide, 0))
    } catch (error) {
      unhide()
      throw error
    } finally {
      underWay.current.delete(key)
    }
  }
  return {
    remove,
    endOffers,
    removing,
    /** Resolves once all removals are stored; rejects if the device refused one. */
    removed: (): Promise<unknown> => Promise.all(underWay.current.values()),
  }
}
