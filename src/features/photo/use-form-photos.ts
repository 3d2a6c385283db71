/**
 * The photos of a form. A form with photos uses them like this:
 *
 *     const photos = useFormPhotos({ resource: 'noteLocationAreas', recordKey, requestId, workingDate }, draftKey)
 *     …useDraftForm({ …, autosave: { key: photos.draft.key } })
 *     …onSubmit: (draft) => submit({ draft: photos.draft, ready: photos.ready, write: (saver, key) => saveNote(…), … })
 *     …<PhotosField photos={photos} label={t`写真`} />   inside this form
 *
 * The form's draft stores an added photo at once, and marks a deleted photo. The save first writes the record, and then
 * adds and deletes the photos. `data/drafts/save-draft.ts` explains the order and what a crash does.
 */
import { useState } from 'react'
import { filter, firstValueFrom } from 'rxjs'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { QueueItem, SendState } from '#schemas/changes/change-queue.ts'
import { useLiveQuery, useUserData } from '#data/context/app-context.tsx'
import type { Absence } from '#data/fetch-requests/interests.ts'
import { draft$, markUnwanted, removeDraftPhoto } from '#data/drafts/drafts.ts'
import type { DraftTarget } from '#data/drafts/save-draft.ts'
import { photosOf$ } from '#data/photos/photos.ts'
import { useReceived } from '#data/received/use-received.ts'
import { wish } from '#data/fetch-requests/wishes.ts'
import { shownPhoto, type ShownPhoto } from './shown-photo.ts'
import { useRequestedPhotos } from './use-requested-photos.ts'
import { useRemovalOffers } from './use-removal-offers.ts'
import { useTaking, type LoadingPhoto } from './use-taking.ts'
import type { FormBinding } from './use-untaken.ts'

export interface FormPhoto extends ShownPhoto {
  state: SendState | 'done' | 'draft'
  /** The photo's unsent upload or deletion; null if there is none. */
  unsent: QueueItem | null
  /** True while the device determines the photo's position. */
  isPlacing: boolean
}

export interface FormPhotos {
  items: readonly FormPhoto[]
  /** Picked files that are being read. Each then becomes one of `items`, unless it is refused. */
  loading: readonly LoadingPhoto[]
  /** Why `items` lacks photos of the record; null if it is complete. */
  rest: Absence | null
  /** True if photos were added or deleted since the last save, or are being added. */
  changed: boolean
  /** True if a photo could not be sent. */
  failed: boolean
  /** Adds files as photos. @returns the number of files that were stored on the device */
  add(files: readonly File[]): Promise<number>
  /** Preloads the code that reads photos, when the user is about to pick some. */
  warm(): void
  remove(photo: FormPhoto): void
  resend(photo: FormPhoto): void
  /** The form's draft, and the record that its save creates or changes. `settled` resolves once removals are stored. */
  draft: { key: string; target: DraftTarget; settled: () => Promise<unknown> }
  /** Connects the photos with the form's file picker and `isGivenUp`. PhotosField calls `bind`. */
  bind(form: FormBinding): void
  /**
   * Waits until all picked files are read. Called before a save.
   * @returns false if a file was not accepted: a banner says so, and the form is not saved
   */
  ready(): Promise<boolean>
}

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
export function useFormPhotos(target: DraftTarget, draftKey: string, isThere = false): FormPhotos {
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
  const isRemoved = (key: string) => unwanted.includes(key) || removing.includes(key)
  const ofRecord = (saved ?? []).filter(({ photo }) => !isRemoved(photo.key))
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
  return {
    items,
    loading: loading.filter(({ key }) => items.every((item) => item.key !== key)),
    rest,
    changed: ofDraft.length + unwanted.length + removing.length + loading.length > 0,
    failed: items.some(({ state }) => state === 'failed' || state === 'expired'),
    add,
    warm,
    remove({ key }) {
      if (!data) return
      const isInDraft = !isSaved(key)
      const removal = isInDraft ? removeDraftPhoto(data, draftKey, key) : markUnwanted(data.db, draftKey, key)
      const isUnlisted = (now: FormDraft) =>
        isInDraft ? now.photos.every((photo) => photo.key !== key) : now.unwanted.includes(key)
      void remove(key, removal, () => firstValueFrom(draft$(data.db, draftKey).pipe(filter(isUnlisted))))
    },
    resend({ unsent }) {
      if (data && unsent) void wish(data.db, unsent, 'resend')
    },
    draft: { key: draftKey, target, settled: removed },
    bind,
    async ready() {
      const areAllAdded = await received().then(settled)
      if (areAllAdded) endOffers()
      return areAllAdded
    },
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
