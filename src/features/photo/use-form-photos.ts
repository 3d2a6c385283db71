/**
 * The photos of a form, beside its fields:
 *
 *     const photos = useFormPhotos({ resource: 'noteLocationAreas', recordKey, requestId, workingDate }, draftKey)
 *     …useDraftForm({ …, autosave: { key: photos.draft.key } })
 *     …onSubmit: (draft) => submit({ draft: photos.draft, ready: photos.ready, write: (saver, key) => saveNote(…), … })
 *     …<PhotosField photos={photos} label={t`写真`} />   inside the form, which has `autosave`
 *
 * A photo that is added lies on the device at once, in the form's draft; what is deleted is marked there. The save makes real
 * what was added and deleted after it has written the record (order and crashes: data/save-draft).
 */
import { useState } from 'react'
import { filter, firstValueFrom } from 'rxjs'
import type { FormDraft } from '#schemas/form-draft.ts'
import type { QueueItem, SendState } from '#schemas/change-queue.ts'
import { useLiveQuery, useUserData } from '#data/app-context.tsx'
import type { Away } from '#data/list-standing.ts'
import { draft$, markUnwanted, removeDraftPhoto } from '#data/drafts.ts'
import type { DraftTarget } from '#data/save-draft.ts'
import { photosOf$ } from '#data/photos.ts'
import { wish } from '#data/wishes.ts'
import { shownPhoto, type ShownPhoto } from './shown-photo.ts'
import { useAskedPhotos } from './use-asked-photos.ts'
import { useRemovalOffers } from './use-removal-offers.ts'
import { useTaking, type LoadingPhoto } from './use-taking.ts'
import type { FormBinding } from './use-untaken.ts'

export interface FormPhoto extends ShownPhoto {
  state: SendState | 'done' | 'draft'
  /** What of it is unsent; null for one that the form has not saved. */
  unsent: QueueItem | null
  /** Its position is still looked for. */
  isPlacing: boolean
}

export interface FormPhotos {
  items: readonly FormPhoto[]
  /** Files that were picked and are being read: they become items. */
  loading: readonly LoadingPhoto[]
  /** Where photos of the record are that are not among the items; null where these are all. */
  rest: Away | null
  /** Something was added or deleted that the save will make real, or is just being added. */
  changed: boolean
  /** One of the photos could not be sent. */
  failed: boolean
  add(files: readonly File[]): void
  /** Photos are about to be picked: what reads them is loaded meanwhile. */
  warm(): void
  remove(photo: FormPhoto): void
  resend(photo: FormPhoto): void
  /** The draft of the form that they stand in, and the record that its save makes or changes. */
  draft: { key: string; target: DraftTarget; settled: () => Promise<unknown> }
  /** PhotosField says how to know whether that was given up, and how to pick photos. */
  bind(form: FormBinding): void
  /**
   * Before a save: waits for what is being read.
   * @returns false where one of them was not taken; it was said why, and the form is not saved without it unasked
   */
  ready(): Promise<boolean>
}

/**
 * @param target the record; of a new one the key that it will get
 * @param draftKey what is typed into the form is kept under it
 * @param isThere the record exists: it may have photos that this device does not know
 */
export function useFormPhotos(target: DraftTarget, draftKey: string, isThere = false): FormPhotos {
  const { resource, recordKey } = target
  const data = useUserData()
  const { binding, bind } = useBinding()
  const saved = useLiveQuery(`photos ${resource} ${recordKey}`, (db) => photosOf$(db, resource, recordKey))
  const draft = useLiveQuery(`draft ${draftKey}`, (db) => draft$(db, draftKey))
  const rest = useAskedPhotos(isThere ? target : null)
  const { add, warm, loading, placing, settled } = useTaking(draftKey, binding)
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
    ...taken.map((photo) => ({
      ...photo,
      revision: '',
      isAway: false,
      hasFailed: false,
      state: 'draft' as const,
      unsent: null,
      isPlacing: placing.includes(photo.key),
    })),
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
      const isWhole = await settled()
      if (isWhole) endOffers()
      return isWhole
    },
  }
}

/** What the form says of itself, once it is drawn. */
function useBinding() {
  const [bound] = useState(() => {
    let form: FormBinding = { isGivenUp: () => false, pick: () => undefined }
    const binding: FormBinding = { isGivenUp: () => form.isGivenUp(), pick: () => form.pick() }
    return { binding, bind: (told: FormBinding) => void (form = told) }
  })
  return bound
}
