/**
 * Files that are picked become photos of a form's draft: read beside each other, added in the order in which they were
 * picked. Each has a card at once; what is not taken says why.
 */
import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { PHOTO_MAX_PIXELS } from '#schemas/limits.ts'
import { isStorageFull } from '#lib/storage-full.ts'
import { messageText } from '#messages/messages.ts'
import { PHOTO_UNSAVED, photoUnsavedBanner, putUnsaved } from '#messages/unsaved.ts'
import { useServices, useUserData } from '#data/app-context.tsx'
import { addDraftPhoto, placePhoto } from '#data/drafts.ts'
import { readPhoto, type ReadPhoto } from './read-photo.ts'

/** A file that is being read; its key is the one that the photo will have. */
export interface LoadingPhoto {
  key: string
  name: string
}

/** 5000万画素, as people count them. */
const TEN_THOUSAND = 10_000

export function useTaking(draftKey: string) {
  const { t, i18n } = useLingui()
  const { clock, newId, flash, errorLog, photo: settings } = useServices()
  const data = useUserData()
  const [loading, setLoading] = useState<readonly LoadingPhoto[]>([])
  const turn = useRef<Promise<void>>(Promise.resolve())
  /** How many were not taken since the form opened. */
  const lost = useRef(0)

  const sayWhyNot = (key: Extract<ReadPhoto, { kind: 'problem' }>['key']) => {
    lost.current += 1
    const n = PHOTO_MAX_PIXELS / TEN_THOUSAND
    const isLarge = key === 'pixels'
    flash.show(
      'info',
      isLarge ? t`写真は${n}万画素以下にしてください。` : messageText(i18n, key, { n: settings.maxMb }),
    )
  }

  async function sayNotKept(error: unknown) {
    lost.current += 1
    if (!(await isStorageFull(error, navigator.storage))) {
      errorLog.note(error)
      return flash.show('danger', messageText(i18n, 'ec00017'))
    }
    const sentPhotos = await (data?.bytes.cachedBytes().catch(() => 0) ?? 0)
    putUnsaved(flash, PHOTO_UNSAVED, photoUnsavedBanner(i18n, sentPhotos))
  }

  async function keep(reading: Promise<ReadPhoto>, place: Promise<string>) {
    const read = await reading
    if (!data) return
    if (read.kind === 'problem') return sayWhyNot(read.key)
    const { photo, bytes, thumb, origin } = read
    await addDraftPhoto(data, draftKey, photo, { bytes, thumb, origin })
    flash.remove(PHOTO_UNSAVED)
    if (origin.place === 'exif') return
    // the position comes when it comes: neither the photo nor the save waits for it
    void place.then((found) => (found ? placePhoto(data.db, draftKey, photo.key, found) : undefined))
  }

  function takeOne(file: File, place: Promise<string>): LoadingPhoto {
    const key = newId()
    const reading = readPhoto(file, {
      jobs: settings.jobs,
      key,
      now: clock.now(),
      maxMb: settings.maxMb,
      keepOriginal: settings.original.get(),
    })
    // its turn comes later: until then nobody hears a rejection
    reading.catch(() => undefined)
    turn.current = turn.current
      .then(() => keep(reading, place))
      .catch(sayNotKept)
      .finally(() => setLoading((before) => before.filter((each) => each.key !== key)))
    return { key, name: file.name }
  }

  return {
    loading,
    add(files: readonly File[]) {
      if (files.length === 0) return
      const place = settings.place()
      const begun = files.map((file) => takeOne(file, place))
      setLoading((before) => [...before, ...begun])
    },
    /** Waits for what is being read. @returns whether all of it was taken */
    async settled(): Promise<boolean> {
      const before = lost.current
      for (let seen; seen !== turn.current;) await (seen = turn.current)
      return lost.current === before
    },
  }
}
