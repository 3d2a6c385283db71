/**
 * The viewer of photos, in the URL as popups are (decisions/screens); its code is loaded when there are photos to look
 * at.
 */
import { Suspense, useEffect } from 'react'
import { lazyCode } from '#ui/layout/lazy-code.ts'
import { usePhotoInUrl } from '#ui/photo/use-photo-in-url.ts'
import type { ShownPhoto } from './shown-photo.ts'

const PhotoViewer = lazyCode(async () => (await import('./photo-viewer.tsx')).PhotoViewer)

/** Put it beside the thumbnails of these photos; it opens when the address names one of them. */
export function PhotoViewing({ photos }: { photos: readonly ShownPhoto[] }) {
  const { key, show, close } = usePhotoInUrl()
  const hasPhotos = photos.length > 0
  useEffect(() => {
    // ahead, so that it opens at once, also without a signal
    if (hasPhotos) PhotoViewer.ahead().catch(() => undefined)
  }, [hasPhotos])
  const index = photos.findIndex((photo) => photo.key === key)
  if (index < 0) return null
  return (
    <Suspense fallback={null}>
      <PhotoViewer
        photos={photos}
        index={index}
        onIndex={(at) => photos[at] && show(photos[at].key)}
        onClose={close}
      />
    </Suspense>
  )
}
