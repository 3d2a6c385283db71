/** The popup with the photo viewer (decisions/screens). Its code is loaded once there is a photo. */
import { Suspense, useEffect } from 'react'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { useOverlayInUrl } from '#ui/popup/use-popup.ts'
import type { ShownPhoto } from './shown-photo.ts'

const PhotoViewer = lazyCode(async () => (await import('./photo-viewer.tsx')).PhotoViewer)

/** Shown while `?photo=` in the URL names one of these photos. */
export function PhotoViewing({ photos }: { photos: readonly ShownPhoto[] }) {
  const { key, show, close } = useOverlayInUrl()
  const hasPhotos = photos.length > 0
  useEffect(() => {
    if (hasPhotos) PhotoViewer.ahead().catch(() => undefined)
  }, [hasPhotos])
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
