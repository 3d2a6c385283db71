import { useLingui } from '@lingui/react/macro'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { PHOTO_EXTENSIONS } from '#schemas/limits.ts'
import { useLatched } from '#data/context/use-latched.ts'
import { useFormAutosave } from '#form/form-contexts.ts'
import { hidesCamera } from '#lib/browser/user-agent.ts'
import { refusalText } from '#messages/reason-text.ts'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { FieldGroup } from '#ui/controls/field.tsx'
import { AddPhoto, AddPhotos, LoadingPhotoCard, PhotoCard, PhotoList } from '#ui/photo/photo.tsx'
import { useOverlayInUrl } from '#ui/popup/use-popup.ts'
import { FormCamera } from './form-camera.tsx'
import { PhotoViewing } from './photo-viewing.tsx'
import { MissingPhotos, MorePhotos, useShownFirst } from './record-photos.tsx'
import { urlOf, usePhotoFacts, usePhotoSource } from './shown-photo.ts'
import type { FormPhoto, FormPhotos } from './use-form-photos.ts'

const Marking = lazyCode(async () => (await import('./marking.tsx')).Marking)

/** No real file type. Android's Chromium offers the camera only if the input also accepts a type that is no image. */
const CAMERA_TOO = 'android/allowCamera'

/** Returns the accepted file types as MIME types and as extensions, because some phones know only one of the two. */
const acceptedTypes = () =>
  [
    'image/png',
    'image/jpeg',
    ...PHOTO_EXTENSIONS.map((extension) => `.${extension}`),
    ...(hidesCamera(navigator.userAgent) ? [CAMERA_TOO] : []),
  ].join(',')

interface PhotosFieldProps {
  photos: FormPhotos
  label: string
  required?: boolean | undefined
  help?: ReactNode
  error?: string | undefined
}

/** The photos of a form, each with 撮影日時, 位置情報, send state and 削除. Below them are 写真を追加 and カメラで撮影. */
export function PhotosField({ photos, label, required, help, error }: PhotosFieldProps) {
  const autosave = useFormAutosave()
  const { open } = useOverlayInUrl()
  const { open: mark } = useOverlayInUrl('marks')
  const add = useRef<HTMLInputElement>(null)
  // The pressed button disappears with its card, so the focus moves to 写真を追加.
  const remove = (photo: FormPhoto) => {
    photos.remove(photo)
    add.current?.focus()
  }
  const numbered = photos.items.map((photo, index) => ({ photo, n: index + 1 }))
  // Photos that are not sent yet are shown even if there are many.
  const { shown, rest, more } = useShownFirst(numbered.filter(({ photo }) => !isNew(photo)))
  const { bind, changed } = photos
  useEffect(() => bind({ isGivenUp: autosave.isGivenUp, pick: () => add.current?.click() }), [bind, autosave])
  useEffect(() => {
    autosave.setChanged(changed)
  }, [autosave, changed])
  return (
    <FieldGroup label={label} required={required} help={help} error={error} busy={photos.loading.length > 0}>
      {(describedBy) => (
        <>
          <PhotoList>
            {[...shown, ...numbered.filter(({ photo }) => isNew(photo))].map(({ photo, n }) => (
              <Card
                key={photo.key}
                photo={photo}
                n={n}
                onOpen={() => open(photo.key)}
                onDelete={() => remove(photo)}
                onMark={() => mark(photo.key)}
                onRetry={() => photos.resend(photo)}
              />
            ))}
            {photos.loading.map(({ key: loading, name, src }) => (
              <LoadingPhotoCard key={loading} name={name} src={src} />
            ))}
          </PhotoList>
          <MorePhotos rest={rest} onMore={more} />
          <MissingPhotos rest={photos.rest} />
          <AddPhotos>
            <AddPhoto
              ref={add}
              accept={acceptedTypes()}
              onFiles={(files) => void photos.add(files)}
              onOpen={photos.warm}
              describedBy={describedBy}
            />
            <FormCamera photos={photos} accept={acceptedTypes()} />
          </AddPhotos>
          <PhotoViewing photos={photos.items} />
          <FormMarks photos={photos} />
        </>
      )}
    </FieldGroup>
  )
}

const isNew = ({ state }: FormPhoto) => state !== 'done'

interface CardProps extends Record<'onOpen' | 'onDelete' | 'onMark' | 'onRetry', () => void> {
  photo: FormPhoto
  n: number
}

function Card({ photo, n, onOpen, onDelete, onMark, onRetry }: CardProps) {
  const { t, i18n } = useLingui()
  const { name, state } = photo
  const { takenAt, canBeMarked, ...facts } = usePhotoFacts(photo)
  const isParked = state === 'failed' || state === 'expired'
  const { reasons = [], status = 0 } = photo.unsent?.progress ?? {}
  const why =
    state === 'expired' ? t`24時間を過ぎたため、送信していません。` : refusalText(i18n, { reasons, status })
  return (
    <PhotoCard
      src={urlOf(usePhotoSource(photo, 'thumb'))}
      n={n}
      onOpen={onOpen}
      name={name}
      state={state}
      takenAt={takenAt ?? t`不明`}
      {...facts}
      isPlacing={photo.isPlacing}
      onDelete={onDelete}
      onMark={canBeMarked && isNew(photo) ? onMark : undefined}
      error={isParked ? why : undefined}
      onRetry={isParked ? onRetry : undefined}
    />
  )
}

/** The popup 黒板・書き込み for an unsent photo (`?marks=`). It stays open if the photo is sent meanwhile. */
function FormMarks({ photos }: { photos: FormPhotos }) {
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
