import type { ReactNode } from 'react'
import { useLiveQuery } from '#data/app-context.tsx'
import { photosOf$ } from '#data/photos.ts'
import { Thumb, Thumbs } from '#ui/photo/thumbs.tsx'
import { usePhotoInUrl } from '#ui/photo/use-photo-in-url.ts'
import { MorePhotos } from './more-photos.tsx'
import { PhotoViewing } from './photo-viewing.tsx'
import { PhotosAway } from './photos-away.tsx'
import { shownPhoto, type ShownPhoto } from './shown-photo.ts'
import { useAskedPhotos } from './use-asked-photos.ts'
import { urlOf, usePhotoSource } from './use-photo-source.ts'
import { useShownFirst } from './use-shown-first.ts'

interface RecordPhotosProps {
  resource: string
  recordKey: string
  requestId: string
  /** The CRM has the record: it may have photos that this device does not know. */
  isThere: boolean
  /** In their place where there are none; then it is also said that they are being read. */
  empty?: ReactNode
}

/** The photos of a record, to look at. The file store is asked for them and their bytes when they come into sight. */
export function RecordPhotos({ resource, recordKey, requestId, isThere, empty }: RecordPhotosProps) {
  const { open } = usePhotoInUrl()
  const views = useLiveQuery(`photos ${resource} ${recordKey}`, (db) => photosOf$(db, resource, recordKey))
  const away = useAskedPhotos(isThere ? { resource, recordKey, requestId } : null)
  // on a card of a list a line that comes and goes would move all below it
  const rest = away === 'reading' && empty === undefined ? null : away
  const photos = (views ?? []).map(({ photo }) => shownPhoto(photo))
  const { shown, rest: hidden, more } = useShownFirst(photos)
  return (
    <>
      {views?.length === 0 && rest === null && empty}
      <Thumbs>
        {shown.map((photo, at) => (
          <PhotoThumb key={photo.key} photo={photo} n={at + 1} onOpen={() => open(photo.key)} />
        ))}
      </Thumbs>
      <MorePhotos rest={hidden} onMore={more} />
      <PhotosAway rest={rest} />
      <PhotoViewing photos={photos} />
    </>
  )
}

function PhotoThumb({ photo, n, onOpen }: { photo: ShownPhoto; n: number; onOpen: () => void }) {
  return <Thumb src={urlOf(usePhotoSource(photo, 'thumb'))} n={n} onOpen={onOpen} />
}
