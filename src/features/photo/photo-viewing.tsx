/** The photo viewer in the URL, like a popup (decisions/screens). Its code is loaded when there are photos to show. */
import { Suspense, useEffect } from 'react'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { usePhotoInUrl } from '#ui/photo/use-photo-in-url.ts'
import type { ShownPhoto } from './shown-photo.ts'

const PhotoViewer = lazyCode(async () => (await import('./photo-viewer.tsx')).PhotoViewer)

/** Place it next to the thumbnails of these photos. It opens when the URL names one of them. */
export function PhotoViewing({ photos }: { photos: readonly ShownPhoto[] }) {
  const { key, show, close } = usePhotoInUrl()
  const hasPhotos = photos.length > 0
  useEffect(() => {
    // Preloaded, so that it opens at once, even offline.
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
