/** 黒板・書き込み of a photo of a form, in the URL like a popup. Its code is loaded when there are photos to draw on. */
import { Suspense, useEffect } from 'react'
import { useLatched } from '#data/context/use-latched.ts'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { usePhotoInUrl } from '#ui/photo/use-photo-in-url.ts'
import type { FormPhotos } from './use-form-photos.ts'

const Marking = lazyCode(async () => (await import('./marking.tsx')).Marking)

/**
 * Place it next to the photos of the form. It opens when the URL names one of them that has not been sent, and stays open
 * if that is sent meanwhile.
 */
export function FormMarks({ photos }: { photos: FormPhotos }) {
  const { key, close } = usePhotoInUrl('marks')
  const hasPhotos = photos.items.length > 0
  useEffect(() => {
    // Preloaded, so that it opens at once, even offline.
    if (hasPhotos) Marking.ahead().catch(() => undefined)
  }, [hasPhotos])
  const unsent = photos.items.find((each) => each.key === key && each.state !== 'done')
  const photo = useLatched(key ?? '', unsent ?? 'absent')
  if (key === undefined || typeof photo === 'string') return null
  return (
    <Suspense>
      <Marking key={photo.key} photos={photos} photo={photo} onClose={close} />
    </Suspense>
  )
}
