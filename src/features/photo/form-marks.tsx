/** 黒板・書き込み of a photo of a form, in the URL like a popup. Its code is loaded when there are photos to draw on. */
import { Suspense, useEffect } from 'react'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { usePhotoInUrl } from '#ui/photo/use-photo-in-url.ts'
import type { FormPhoto, FormPhotos } from './use-form-photos.ts'
import { useMarking } from './use-marking.ts'

const MarksPopup = lazyCode(async () => (await import('#features/camera/marks-popup.tsx')).MarksPopup)

/** Place it next to the photos of the form. It opens when the URL names one of them. */
export function FormMarks({ photos }: { photos: FormPhotos }) {
  const { key, close } = usePhotoInUrl('marks')
  const hasPhotos = photos.items.length > 0
  useEffect(() => {
    // Preloaded, so that it opens at once, even offline.
    if (hasPhotos) MarksPopup.ahead().catch(() => undefined)
  }, [hasPhotos])
  const photo = photos.items.find((each) => each.key === key)
  return photo && <Marking key={photo.key} photos={photos} photo={photo} onClose={close} />
}

interface MarkingProps {
  photos: FormPhotos
  photo: FormPhoto
  onClose: () => void
}

function Marking({ photos, photo, onClose }: MarkingProps) {
  const { opened, store, add } = useMarking(photos, photo)
  return (
    <Suspense>
      <MarksPopup
        photo={opened}
        requestId={photos.draft.target.requestId}
        takenAt={photo.takenAt}
        onMarks={store}
        onMade={add}
        onClose={onClose}
      />
    </Suspense>
  )
}
