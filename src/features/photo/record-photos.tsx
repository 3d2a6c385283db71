import type { ReactNode } from 'react'
import { useLiveQuery } from '#data/app-context.tsx'
import { photosOf$ } from '#data/photos.ts'
import { Thumb, Thumbs } from '#ui/thumbs.tsx'
import { usePhotoInUrl } from '#ui/use-photo-in-url.ts'
import { MorePhotos } from './more-photos.tsx'
import { PhotoViewing } from './photo-viewing.tsx'
import { shownPhoto, type ShownPhoto } from './shown-photo.ts'
import { useAskedPhotos } from './use-asked-photos.ts'
import { urlOf, usePhotoSource } from './use-photo-source.ts'
import { useShownFirst } from './use-shown-first.ts'

interface RecordPhotosProps {
  resource: string
  recordKey: string
  requestId: string
  /** In their place where there are none. */
  empty?: ReactNode
}

/** The photos of a record, to look at. The file store is asked for them and their bytes when they come into sight. */
export function RecordPhotos({ resource, recordKey, requestId, empty }: RecordPhotosProps) {
  const { open } = usePhotoInUrl()
  const views = useLiveQuery(`photos ${resource} ${recordKey}`, (db) => photosOf$(db, resource, recordKey))
  useAskedPhotos({ resource, recordKey, requestId })
  const photos = (views ?? []).map(({ photo }) => shownPhoto(photo))
  const { shown, rest, more } = useShownFirst(photos)
  return (
    <>
      {views?.length === 0 && empty}
      <Thumbs>
        {shown.map((photo, at) => (
          <PhotoThumb key={photo.key} photo={photo} n={at + 1} onOpen={() => open(photo.key)} />
        ))}
      </Thumbs>
      <MorePhotos rest={rest} onMore={more} />
      <PhotoViewing photos={photos} />
    </>
  )
}

function PhotoThumb({ photo, n, onOpen }: { photo: ShownPhoto; n: number; onOpen: () => void }) {
  return <Thumb src={urlOf(usePhotoSource(photo, 'thumb'))} n={n} onOpen={onOpen} />
}
