import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { userOf } from '#data/database/database-name.ts'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import { fileOpener } from '#data/received/received-keys.ts'
import { openReceivedStore, type WaitingPhoto } from '#data/received/received-store.ts'
import { waitingPhotos } from '#data/received/take-received.ts'
import { notifyReceived, RECEIVED } from '#messages/unsaved.ts'

type Store = ReturnType<typeof openReceivedStore>

export type ReceivedPhotos = NonNullable<ReturnType<typeof useReceivedPhotos>>

/** Returns the user's shared photos that wait for a form; undefined until the database is read. */
export function useReceivedPhotos() {
  const { errorLog } = useServices()
  const data = useUserData()
  const [store] = useState(openReceivedStore)
  const [photos, setPhotos] = useState<readonly WaitingPhoto[]>()
  const report = useEffectEvent(errorLog.note)
  useEffect(() => {
    if (!data) return undefined
    let isOver = false
    const read = () =>
      void waitingPhotos({ store, db: data.db })
        .then((found) => isOver || setPhotos(found))
        .catch((error: unknown) => report(error))
    read()
    // Another browser window may have added some of the photos to a form.
    window.addEventListener('focus', read)
    return () => {
      isOver = true
      window.removeEventListener('focus', read)
    }
  }, [data, store])
  useNotice(store)
  const { thumbs, unreadable } = useThumbs(store, photos)
  if (!photos) return undefined
  return {
    photos,
    /** URLs of thumbnails by photo id. A photo that is still being read has none. */
    thumbs,
    unreadable,
    async discard() {
      await store.remove(photos.map(({ id }) => id))
      setPhotos([])
    },
  }
}

/** Hides the banner about waiting photos while this screen is open. It returns if photos wait, except over a form. */
function useNotice(store: Store): void {
  const { flash } = useServices()
  const { i18n } = useLingui()
  const data = useUserData()
  const { history } = useRouter()
  const leave = useEffectEvent(async () => {
    if (!data || data.db.closed || history.location.state.received) return
    notifyReceived(flash, i18n, (await waitingPhotos({ store, db: data.db })).length)
  })
  useEffect(() => {
    flash.remove(RECEIVED)
    return () => void leave().catch(() => undefined)
  }, [flash])
}

/** Returns the thumbnails. They are drawn one after the other, because one photo may have 40 MB. */
function useThumbs(store: Store, photos: readonly WaitingPhoto[] | undefined) {
  const { jobs } = useServices().photo
  const data = useUserData()
  const [shown, setShown] = useState<ReadonlyMap<string, string | null>>(new Map())
  useEffect(() => {
    if (!data || !photos) return undefined
    let isOver = false
    const urls: string[] = []
    const show = async () => {
      const parts = { store, sealer: data.sealer, user: userOf(data.db.name) }
      const [opened, { thumb }] = await Promise.all([fileOpener(parts), jobs()])
      for (const photo of photos) {
        const file = isOver ? null : await opened(photo)
        const bytes = file && (await thumb(file).catch(() => undefined))
        if (isOver) return
        const url = bytes && URL.createObjectURL(new Blob([bytes]))
        if (url) urls.push(url)
        // Null marks a photo that cannot be opened. A file without a thumbnail gets no mark: the form refuses it and says why.
        if (url || !file) setShown((before) => new Map(before).set(photo.id, url ?? null))
      }
    }
    show().catch(() => undefined)
    return () => {
      isOver = true
      for (const url of urls) URL.revokeObjectURL(url)
      setShown(new Map())
    }
  }, [data, jobs, photos, store])
  const entries = [...shown]
  return {
    thumbs: new Map(entries.flatMap(([id, url]) => (url === null ? [] : [[id, url] as const]))),
    unreadable: entries.filter(([, url]) => url === null).length,
  }
}
