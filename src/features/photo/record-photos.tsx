/** The photos of a record: read-only, the button for those after the first few, and the line about photos that were not read yet. */
import { useLingui } from '@lingui/react/macro'
import { Image, RotateCw } from 'lucide-react'
import { useEffect, useState, type ReactNode, Suspense } from 'react'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/context/app-context.tsx'
import { useAskAgain } from '#data/context/use-refresh.ts'
import { absenceOf, interest$, type Absence } from '#data/fetch-requests/interests.ts'
import { photosOf$, photosRequestKey, requestPhotos } from '#data/photos/photos.ts'
import { Button } from '#ui/controls/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import styles from '#ui/photo/thumbs.module.css'
import { useOverlayInUrl } from '#ui/popup/use-popup.ts'
import { shownPhoto, urlOf, usePhotoSource, type ShownPhoto } from './shown-photo.ts'
import { lazyCode, useAhead } from '#ui/base/lazy-code.ts'

interface RecordPhotosProps {
  resource: string
  recordKey: string
  requestId: string
  /** True if the CRM has the record, which may then have photos that the device does not know. */
  isThere: boolean
  /** Shown if the record has no photos. If omitted, the line that says 読み込み中 is omitted, too. */
  empty?: ReactNode
}

/** The photos of a record, read-only. Photos that are only in the file store are fetched. */
export function RecordPhotos({ resource, recordKey, requestId, isThere, empty }: RecordPhotosProps) {
  const { open } = useOverlayInUrl()
  const views = useLiveQuery(`photos ${resource} ${recordKey}`, (db) => photosOf$(db, resource, recordKey))
  const absence = useRequestedPhotos(isThere ? { resource, recordKey, requestId } : null)
  // A card in a list (no `empty`) shows no line during the read, because the line would disappear and move the cards.
  const rest = absence === 'reading' && empty === undefined ? null : absence
  const photos = (views ?? []).map(({ photo }) => shownPhoto(photo))
  const { shown, rest: hidden, more } = useShownFirst(photos)
  return (
    <>
      {views?.length === 0 && rest === null && empty}
      <div className={styles.thumbs}>
        {shown.map((photo, index) => (
          <PhotoThumb key={photo.key} photo={photo} n={index + 1} onOpen={() => open(photo.key)} />
        ))}
      </div>
      <MorePhotos rest={hidden} onMore={more} />
      <MissingPhotos rest={rest} />
      <PhotoViewing photos={photos} />
    </>
  )
}

/** A photo's thumbnail as a button. */
export function PhotoThumb({ photo, n, onOpen }: { photo: ShownPhoto; n: number; onOpen: () => void }) {
  const { t } = useLingui()
  const src = urlOf(usePhotoSource(photo, 'thumb'))
  return (
    <button type="button" aria-label={t`写真${n}を開く`} onClick={onOpen}>
      {src === undefined ? <Icon as={Image} /> : <img src={src} alt="" loading="lazy" decoding="async" />}
    </button>
  )
}

/** Number of photos shown at first. More would slow the screen down, because each is read or fetched, and decoded. */
const SHOWN_AT_FIRST = 30

/** Returns the first photos of a long list. Each call of `more` adds SHOWN_AT_FIRST. */
export function useShownFirst<T>(photos: readonly T[]) {
  const [most, setMost] = useState(SHOWN_AT_FIRST)
  return {
    shown: photos.slice(0, most),
    rest: Math.max(0, photos.length - most),
    more: () => setMost(most + SHOWN_AT_FIRST),
  }
}

export function MorePhotos({ rest, onMore }: { rest: number; onMore: () => void }) {
  const { t } = useLingui()
  if (rest === 0) return null
  return <Button onClick={onMore}>{t`ほかの写真を表示（残り${rest}枚）`}</Button>
}

/** Says that the record may have more photos. @param rest why photos are missing; null if none is missing */
export function MissingPhotos({ rest }: { rest: Absence | null }) {
  const { t } = useLingui()
  const askAgain = useAskAgain()
  if (rest === null) return null
  const texts = {
    reading: t`登録済の写真を読み込み中`,
    absent: t`登録済の写真は、電波の届く場所で開くと読み込みます`,
    failed: t`登録済の写真を読み込めませんでした`,
  }
  return (
    <>
      <p>
        <output>{texts[rest]}</output>
      </p>
      {rest === 'failed' && <Button icon={RotateCw} onClick={askAgain}>{t`再読み込み`}</Button>}
    </>
  )
}

/** Requests a record's photos while online. @param record null to request nothing @returns why photos may be missing */
export function useRequestedPhotos(
  record: { resource: string; recordKey: string; requestId: string } | null,
): Absence | null {
  const { clock, errorLog } = useServices()
  const online = useOnline()
  const db = useUserData()?.db
  const [since] = useState(() => new Date(clock.now()).toISOString())
  const { resource, recordKey, requestId } = record ?? {}
  useEffect(() => {
    if (!db || !online || resource === undefined || recordKey === undefined || requestId === undefined) return
    requestPhotos(db, clock.now(), { resource, recordKey, requestId }).catch(errorLog.note)
  }, [db, online, clock, errorLog, resource, recordKey, requestId])
  const key = photosRequestKey(resource ?? '', recordKey ?? '')
  const interest = useLiveQuery(`interest ${key}`, (from) => interest$(from, key))
  if (!record || interest?.state === 'answered') return null
  // A fetch request from before this component mounted may have failed long ago, so its result is ignored.
  const state = interest && interest.askedAt < since ? null : interest && interest.state
  return absenceOf(state, online)
}

const PhotoViewer = lazyCode(async () => (await import('./photo-viewer.tsx')).PhotoViewer)

/** The photo viewer while `?photo=` in the URL names one of these photos. Its code is loaded once there is a photo. */
export function PhotoViewing({ photos }: { photos: readonly ShownPhoto[] }) {
  const { key, show, close } = useOverlayInUrl()
  const hasPhotos = photos.length > 0
  useAhead(PhotoViewer, hasPhotos)
  const index = photos.findIndex((photo) => photo.key === key)
  if (index < 0) return null
  return (
    <Suspense fallback={null}>
      <PhotoViewer
        photos={photos}
        index={index}
        onIndex={(next) => photos[next] && show(photos[next].key)}
        onClose={close}
      />
    </Suspense>
  )
}
