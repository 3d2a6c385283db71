/**
 * The photos of a form, used next to its fields:
 *
 *     const photos = useFormPhotos({ resource: 'noteLocationAreas', recordKey, requestId, workingDate }, draftKey)
 *     …useDraftForm({ …, autosave: { key: photos.draft.key } })
 *     …onSubmit: (draft) => submit({ draft: photos.draft, ready: photos.ready, write: (saver, key) => saveNote(…), … })
 *     …<PhotosField photos={photos} label={t`写真`} />   inside the form, which has `autosave`
 *
 * An added photo is stored at once in the form's draft; a deleted photo is marked there. The save applies both after it
 * has written the record (order and crash safety: data/drafts/save-draft).
 */
import { useState } from 'react'
import { filter, firstValueFrom } from 'rxjs'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { QueueItem, SendState } from '#schemas/changes/change-queue.ts'
import { useLiveQuery, useUserData } from '#data/context/app-context.tsx'
import type { Absence } from '#data/fetch-requests/list-state.ts'
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
  /** Its unsent upload or deletion; null if the form has not been saved with it. */
  unsent: QueueItem | null
  /** True while its position is being determined. */
  isPlacing: boolean
}

export interface FormPhotos {
  items: readonly FormPhoto[]
  /** Picked files that are being read; they become items. */
  loading: readonly LoadingPhoto[]
  /** State of the record's photos that are not among the items; null if all are. */
  rest: Absence | null
  /** True if photos were added or deleted since the last save, or are being added. */
  changed: boolean
  /** True if a photo could not be sent. */
  failed: boolean
  /** @returns how many of them are stored on the device */
  add(files: readonly File[]): Promise<number>
  /** Preloads what reads photos; called when the user is about to pick some. */
  warm(): void
  remove(photo: FormPhoto): void
  resend(photo: FormPhoto): void
  /** The draft of the surrounding form, and the record that its save creates or changes. */
  draft: { key: string; target: DraftTarget; settled: () => Promise<unknown> }
  /** Called by PhotosField: connects the form, to detect that it was discarded and to open the file picker. */
  bind(form: FormBinding): void
  /**
   * Waits before a save until all photos are read.
   * @returns false if one was not accepted; the user has been told, and the form is not saved without it
   */
  ready(): Promise<boolean>
}

/** What every photo of a draft is. */
const ONLY_HERE = {
  revision: '',
  isInFileStore: false,
  hasFailed: false,
  state: 'draft',
  unsent: null,
} as const

/**
 * @param target the record; for a new one, the key that it will get
 * @param draftKey key of the form's draft
 * @param isThere true if the record exists and may have photos that this device does not know
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
  const unwanted = draft?.unwanted ?? []
  const isOut = (key: string) => unwanted.includes(key) || removing.includes(key)
  const there = (saved ?? []).filter(({ photo }) => !isOut(photo.key))
  const isSaved = (key: string) => (saved ?? []).some(({ photo }) => photo.key === key)
  const taken = (draft?.photos ?? []).filter(({ key }) => !isSaved(key) && !removing.includes(key))
  const items: FormPhoto[] = [
    ...there.map(({ photo, unsent }) => ({
      ...shownPhoto(photo),
      state: unsent ? unsent.state : ('done' as const),
      unsent,
      isPlacing: placing.includes(photo.key),
    })),
    ...taken.map((photo) => ({ ...photo, ...ONLY_HERE, isPlacing: placing.includes(photo.key) })),
  ]
  return {
    items,
    loading: loading.filter(({ key }) => items.every((item) => item.key !== key)),
    rest,
    changed: taken.length + unwanted.length + removing.length + loading.length > 0,
    failed: items.some(({ state }) => state === 'failed' || state === 'expired'),
    add,
    warm,
    remove({ key }) {
      if (!data) return
      const isTaken = !isSaved(key)
      const removal = isTaken ? removeDraftPhoto(data, draftKey, key) : markUnwanted(data.db, draftKey, key)
      const isUnlisted = (now: FormDraft) =>
        isTaken ? now.photos.every((photo) => photo.key !== key) : now.unwanted.includes(key)
      void remove(key, removal, () => firstValueFrom(draft$(data.db, draftKey).pipe(filter(isUnlisted))))
    },
    resend({ unsent }) {
      if (data && unsent) void wish(data.db, unsent, 'resend')
    },
    draft: { key: draftKey, target, settled: removed },
    bind,
    async ready() {
      const isWhole = await received().then(settled)
      if (isWhole) endOffers()
      return isWhole
    },
  }
}

/** Holds the connection to the form, available once it is rendered. */
function useBinding() {
  const [bound] = useState(() => {
    let form: FormBinding = { isGivenUp: () => false, pick: () => undefined }
    const binding: FormBinding = { isGivenUp: () => form.isGivenUp(), pick: () => form.pick() }
    return { binding, bind: (told: FormBinding) => void (form = told) }
  })
  return bound
}
