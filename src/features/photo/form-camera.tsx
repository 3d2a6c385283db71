import { useLingui } from '@lingui/react/macro'
import { Camera } from 'lucide-react'
import { Suspense, useState, type ComponentProps } from 'react'
import type { DraftPlace } from '#data/drafts/drafts.ts'
import { requestsOfPlace } from '#data/visits/request-rows.ts'
import { lazyCode, useAhead } from '#ui/base/lazy-code.ts'
import { Icon } from '#ui/base/icon.tsx'
import { AddPhoto } from '#ui/photo/photo.tsx'
import styles from '#ui/photo/photo.module.css'
import { Popup, useOpenPopup, useOverlayInUrl } from '#ui/popup/use-popup.ts'
import { PhotoThumb } from './record-photos.tsx'
import type { FormPhotos } from './use-form-photos.ts'
import { shownPhoto, urlOf, usePhotoSource, useRead, type ShownPhoto } from './shown-photo.ts'

const CameraPopup = lazyCode(async () => (await import('#features/camera/camera-popup.tsx')).CameraPopup)

/** The button カメラで撮影 of a form, and the camera popup. @param accept file types of 写真を追加, for a device without a camera */
export function FormCamera({ photos, accept }: { photos: FormPhotos; accept: string }) {
  const { t } = useLingui()
  const open = useOpenPopup('camera')
  const [isPressed, setPressed] = useState(false)
  useAhead(CameraPopup)
  const press = () => {
    setPressed(true)
    photos.warm()
    open()
  }
  const pick = (close: () => void) => (files: readonly File[]) => {
    void photos.add(files)
    close()
  }
  return (
    <>
      <button type="button" className={styles.add} onClick={press}>
        <Icon as={Camera} />
        {t`カメラで撮影`}
      </button>
      <Popup name="camera">
        {(close) => (
          <CameraOfForm
            photos={photos}
            startsAtOnce={isPressed}
            picker={<AddPhoto accept={accept} onOpen={photos.warm} onFiles={pick(close)} />}
            onClose={close}
            onEnd={() => setPressed(false)}
          />
        )}
      </Popup>
    </>
  )
}

type CameraProps = Omit<ComponentProps<typeof CameraPopup>, 'onShot' | 'last' | 'previous'>

/** The camera popup of a form. It adds each picture to the form's draft like a picked photo. */
function CameraOfForm({ photos: { items, draft, add }, ...camera }: CameraProps & { photos: FormPhotos }) {
  const previous = usePreviousPhotos(draft.target.requestId, items)
  const { open } = useOverlayInUrl()
  const last = items.at(-1)
  return (
    <Suspense>
      <CameraPopup
        {...camera}
        onShot={async (file) => (await add([file])) > 0}
        // A press opens the latest picture in the viewer, on top of the running camera.
        last={
          last && <PhotoThumb key={last.key} photo={last} n={items.length} onOpen={() => open(last.key)} />
        }
        previous={previous.map((photo) => (
          <Whole key={photo.key} photo={photo} />
        ))}
      />
    </Suspense>
  )
}

function Whole({ photo }: { photo: ShownPhoto }) {
  const src = urlOf(usePhotoSource(photo, 'whole'))
  return src && <img src={src} alt="" decoding="async" />
}

const NONE: readonly ShownPhoto[] = []

/** Returns the photos for 前回の写真 on this device, newest first: the form's as it opened, and those of the same place. */
export function usePreviousPhotos(requestId: string, own: readonly ShownPhoto[]): readonly ShownPhoto[] {
  const [before] = useState(own)
  return useRead(requestId, (data) => previousPhotos(data, requestId, before)) ?? NONE
}

async function previousPhotos({ db, bytes }: DraftPlace, requestId: string, own: readonly ShownPhoto[]) {
  const keysOnDevice = await bytes.keys(Infinity)
  const place = await requestsOfPlace(db, requestId)
  const docs = await db.photos.findByIds(keysOnDevice).exec()
  const saved = [...docs.values()]
    // Leaves out the photos that the user has deleted.
    .filter((photo) => photo.wanted === 'kept' && place.has(photo.requestId))
    .map((photo) => shownPhoto(photo.toMutableJSON()))
  const ofForm = own.filter(({ key }) => keysOnDevice.includes(key) && !docs.has(key))
  return [...ofForm, ...saved].toSorted((a, b) => (a.takenAt < b.takenAt ? 1 : -1))
}
