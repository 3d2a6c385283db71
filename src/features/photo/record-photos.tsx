import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useState } from 'react'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/app-context.tsx'
import { askPhotoBytes, askPhotos, photosOf$ } from '#data/photos.ts'
import { useToday } from '#data/use-now.ts'
import type { PhotoRecord } from '#schemas/photo.ts'
import { shortStampText } from '#lib/tokyo-time.ts'
import { PhotoFigure } from '#ui/photo-figure.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { Thumb, Thumbs } from '#ui/thumbs.tsx'
import { placeLabel } from './place-label.ts'
import { usePhotoSource } from './use-photo-url.ts'

/** Asked in the moment of a logout: nobody looks any more. */
const GONE = () => undefined

interface RecordPhotosProps {
  resource: string
  recordKey: string
  requestId: string
  /** In their place where there are none. */
  empty?: ReactNode
}

/** The photos of a record, to look at. The file store is asked for them and their bytes when they come into sight. */
export function RecordPhotos({ resource, recordKey, requestId, empty }: RecordPhotosProps) {
  const { t } = useLingui()
  const { clock } = useServices()
  const online = useOnline()
  const data = useUserData()
  const views = useLiveQuery(`photos ${resource} ${recordKey}`, (db) => photosOf$(db, resource, recordKey))
  const [openKey, setOpenKey] = useState<string | null>(null)
  useEffect(() => {
    if (!data || !online) return
    askPhotos(data.db, clock.now(), { resource, recordKey, requestId }).catch(GONE)
  }, [data, online, clock, resource, recordKey, requestId])
  const photos = (views ?? []).map(({ photo }) => photo)
  const index = photos.findIndex(({ key }) => key === openKey)
  const open = photos[index]
  const n = index + 1
  return (
    <>
      {views?.length === 0 && empty}
      <Thumbs>
        {photos.map((photo, at) => (
          <PhotoThumb key={photo.key} photo={photo} n={at + 1} onOpen={() => setOpenKey(photo.key)} />
        ))}
      </Thumbs>
      {open && (
        <Sheet heading={t`写真${n}`} onClose={() => setOpenKey(null)}>
          <WholePhoto photo={open} n={n} />
        </Sheet>
      )}
    </>
  )
}

function PhotoThumb({ photo, n, onOpen }: { photo: PhotoRecord; n: number; onOpen: () => void }) {
  return <Thumb src={useFetchedUrl(photo, 'thumb')} n={n} onOpen={onOpen} />
}

function WholePhoto({ photo, n }: { photo: PhotoRecord; n: number }) {
  const { t } = useLingui()
  const online = useOnline()
  const today = useToday()
  const { name, createDate, placeInfo, bytesAsked } = photo
  const src = useFetchedUrl(photo, 'whole')
  const missing = bytesAsked === 'failed' ? t`写真を取得できませんでした` : t`写真は端末に保存されていません`
  return (
    <PhotoFigure
      src={src}
      alt={t`写真${n}`}
      name={name}
      takenAt={shortStampText(createDate, today) || undefined}
      position={placeLabel(placeInfo)}
      missing={bytesAsked === 'failed' || !online ? missing : undefined}
    />
  )
}

/** The photo's address; where its bytes lie in the file store only, it asks for them. */
function useFetchedUrl(photo: PhotoRecord, kind: 'thumb' | 'whole') {
  const data = useUserData()
  const online = useOnline()
  const { key, size, fileSeq, bytesAsked } = photo
  const { url, isAbsent } = usePhotoSource(key, `${size} ${bytesAsked}`, kind)
  const isAway = isAbsent && fileSeq !== '' && bytesAsked === 'no'
  useEffect(() => {
    if (data && online && isAway) askPhotoBytes(data.db, key).catch(GONE)
  }, [data, online, isAway, key])
  return url
}
