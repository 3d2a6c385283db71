/** The popup 黒板・書き込み for a photo of a form. Its code is loaded once the form has a photo. */
import { Suspense, useEffect } from 'react'
import { useLatched } from '#data/context/use-latched.ts'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { useOverlayInUrl } from '#ui/popup/use-popup.ts'
import type { FormPhotos } from './use-form-photos.ts'

const Marking = lazyCode(async () => (await import('./marking.tsx')).Marking)

/**
 * Shown while `?marks=` in the URL names an unsent photo of the form. If the photo is sent meanwhile, the popup stays
 * open.
 */
export function FormMarks({ photos }: { photos: FormPhotos }) {
  const { key, close } = useOverlayInUrl('marks')
  const hasPhotos = photos.items.length > 0
  useEffect(() => {
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
