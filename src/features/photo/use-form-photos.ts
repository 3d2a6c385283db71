/**
 * The photos of a form, beside its fields:
 *
 *     const photos = useFormPhotos({ resource: 'noteLocationAreas', recordKey, requestId, workingDate })
 *     …onSubmit: (draft) => photos.save(() => saveNote(saver, request, draft, record, recordKey))
 *     …<PhotosField photos={photos} label={t`写真`} />   inside the form, which has `autosave`
 *
 * A photo that is added lies on the device at once, in the form's draft; what is deleted is marked there. `save` writes the
 * record by the function it is given, and then makes real what was added and deleted (order and crashes: data/drafts).
 */
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useEffect, useRef, useState } from 'react'
import type { QueueItem, SendState } from '#schemas/change-queue.ts'
import { messageText } from '#messages/messages.ts'
import type { Saver } from '#data/changes.ts'
import { useLiveQuery, useServices, useUserData } from '#data/app-context.tsx'
import {
  addDraftPhoto,
  draft$,
  markUnwanted,
  placePhoto,
  removeDraftPhoto,
  saveDraft,
  type DraftTarget,
} from '#data/drafts.ts'
import { photosOf$ } from '#data/photos.ts'
import { useOfferWayBack } from '#data/use-way-back.ts'
import type { WayBack } from '#data/way-back.ts'
import { wish } from '#data/wishes.ts'
import { readPhoto } from './read-photo.ts'

export interface FormPhoto {
  key: string
  name: string
  placeInfo: string
  /** ISO 8601. */
  takenAt: string
  size: number
  state: SendState | 'done'
  /** What of it is unsent; null for one that the form has not saved. */
  unsent: QueueItem | null
}

export interface FormPhotos {
  items: readonly FormPhoto[]
  /** Something was added or deleted that the save will make real. */
  changed: boolean
  /** One of the photos could not be sent. */
  failed: boolean
  /** Files are being read. */
  reading: boolean
  add(files: readonly File[]): void
  remove(photo: FormPhoto): void
  resend(photo: FormPhoto): void
  /** PhotosField says which draft is the form's. */
  bind(draftKey: string): void
  /** Writes the record by `write`, then its photos. What is still being read is waited for. */
  save<T>(saver: Saver, write: () => Promise<T>): Promise<T>
}

/** @param target the record; of a new one the key that it will get */
export function useFormPhotos(target: DraftTarget): FormPhotos {
  const { resource, recordKey } = target
  const data = useUserData()
  const [draftKey, bind] = useState(`${resource}/${recordKey}`)
  const saved = useLiveQuery(`photos ${resource} ${recordKey}`, (db) => photosOf$(db, resource, recordKey))
  const draft = useLiveQuery(`draft ${draftKey}`, (db) => draft$(db, draftKey))
  const { add, reading, pending } = useTaking(draftKey)
  const { offer, endOffers } = useOffers()
  const unwanted = draft?.unwanted ?? []
  const there = (saved ?? []).filter(({ photo }) => !unwanted.includes(photo.key))
  const taken = (draft?.photos ?? []).filter(({ key }) => there.every(({ photo }) => photo.key !== key))
  const items: FormPhoto[] = [
    ...there.map(({ photo, unsent }) => ({
      ...photo,
      takenAt: photo.createDate,
      state: unsent ? unsent.state : ('done' as const),
      unsent,
    })),
    ...taken.map((photo) => ({ ...photo, state: 'waiting' as const, unsent: null })),
  ]
  return {
    items,
    changed: taken.length + unwanted.length > 0,
    failed: items.some(({ state }) => state === 'failed' || state === 'expired'),
    reading,
    add,
    remove({ key }) {
      if (!data) return
      void offer(
        taken.some((photo) => photo.key === key)
          ? removeDraftPhoto(data, draftKey, key)
          : markUnwanted(data.db, draftKey, key),
      )
    },
    resend({ unsent }) {
      if (data && unsent) void wish(data.db, unsent, 'resend')
    },
    bind,
    async save(saver, write) {
      endOffers()
      await pending()
      return data ? saveDraft({ ...saver, bytes: data.bytes }, draftKey, target, write) : write()
    },
  }
}

/** Files that are picked become photos of the draft, one after the other. */
function useTaking(draftKey: string) {
  const { i18n } = useLingui()
  const { clock, newId, flash, photo: settings } = useServices()
  const data = useUserData()
  const [count, setCount] = useState(0)
  const turn = useRef<Promise<void>>(Promise.resolve())
  const take = async (file: File, place: Promise<string>) => {
    if (!data) return
    const read = await readPhoto(file, {
      key: newId(),
      now: clock.now(),
      maxMb: settings.maxMb,
      keepOriginal: settings.original.get(),
    })
    if (read.kind === 'problem') return flash.show('info', messageText(i18n, read.key, { n: settings.maxMb }))
    await addDraftPhoto(data, draftKey, read.photo, read.prepared)
    // the position comes when it comes: neither the photo nor the save waits for it
    void place.then((found) => (found ? placePhoto(data.db, draftKey, read.photo.key, found) : undefined))
  }
  const add = (files: readonly File[]) => {
    const place = settings.place()
    setCount((before) => before + files.length)
    for (const file of files)
      turn.current = turn.current
        .then(() => take(file, place))
        .catch(() => flash.show('danger', messageText(i18n, 'ec00017')))
        .finally(() => setCount((before) => before - 1))
  }
  return { add, reading: count > 0, pending: () => turn.current }
}

/** 元に戻す of photos that were deleted: as long as the form is open and was not saved. */
function useOffers() {
  const { i18n } = useLingui()
  const { errorLog } = useServices()
  const offerWayBack = useOfferWayBack()
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
  const offer = (removal: Promise<WayBack>) =>
    removal.then(
      (way) => void ends.current.add(offerWayBack(i18n._(msg`写真を削除しました。`), way)),
      errorLog.note,
    )
  return { offer, endOffers }
}
