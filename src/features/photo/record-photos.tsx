import type { ReactNode } from 'react'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { photosOf$ } from '#data/photos/photos.ts'
import { Thumb, Thumbs } from '#ui/photo/thumbs.tsx'
import { useOverlayInUrl } from '#ui/popup/use-popup.ts'
import { MissingPhotos, MorePhotos, useShownFirst } from './more-photos.tsx'
import { PhotoViewing } from './photo-viewing.tsx'
import { shownPhoto, type ShownPhoto } from './shown-photo.ts'
import { useRequestedPhotos } from './use-requested-photos.ts'
import { urlOf, usePhotoSource } from './use-photo-source.ts'

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
  // A card in a list passes no `empty` and shows no line while photos are being read, because the line would disappear
  // and move the cards below.
  const rest = absence === 'reading' && empty === undefined ? null : absence
  const photos = (views ?? []).map(({ photo }) => shownPhoto(photo))
  const { shown, rest: hidden, more } = useShownFirst(photos)
  return (
    <>
      {views?.length === 0 && rest === null && empty}
      <Thumbs>
        {shown.map((photo, index) => (
          <PhotoThumb key={photo.key} photo={photo} n={index + 1} onOpen={() => open(photo.key)} />
        ))}
      </Thumbs>
      <MorePhotos rest={hidden} onMore={more} />
      <MissingPhotos rest={rest} />
      <PhotoViewing photos={photos} />
    </>
  )
}

function PhotoThumb({ photo, n, onOpen }: { photo: ShownPhoto; n: number; onOpen: () => void }) {
  return <Thumb src={urlOf(usePhotoSource(photo, 'thumb'))} n={n} onOpen={onOpen} />
}
