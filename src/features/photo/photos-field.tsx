import { useLingui } from '@lingui/react/macro'
import { CircleX, Presentation, RotateCw, Trash2 } from 'lucide-react'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { PHOTO_EXTENSIONS } from '#schemas/limits.ts'
import { useLatched } from '#data/context/use-latched.ts'
import { useFormAutosave } from '#form/form-contexts.ts'
import { hidesCamera } from '#lib/browser/user-agent.ts'
import { refusalText } from '#messages/reason-text.ts'
import { cx, Icon } from '#ui/base/icon.tsx'
import { lazyCode, useAhead } from '#ui/base/lazy-code.ts'
import { FieldGroup } from '#ui/controls/field.tsx'
import { SendStateBadge } from '#ui/feedback/send-state.tsx'
import { AddPhoto, AddPhotos, PhotoFact } from '#ui/photo/photo.tsx'
import styles from '#ui/photo/photo.module.css'
import { useOverlayInUrl } from '#ui/popup/use-popup.ts'
import { FormCamera } from './form-camera.tsx'
import { PhotoViewing, MissingPhotos, MorePhotos, useShownFirst } from './record-photos.tsx'
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
          <ul className={styles.photos}>
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
              <LoadingCard key={loading} name={name} src={src} />
            ))}
          </ul>
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

const ACT = cx(styles.act, 'ring-in')

interface CardProps extends Record<'onOpen' | 'onDelete' | 'onMark' | 'onRetry', () => void> {
  photo: FormPhoto
  n: number
}

/** A card with one photo: send state, end of the file name, 撮影日時, 位置情報, 削除 and 黒板; 再送 with the reason. */
function Card({ photo, n, onOpen, onDelete, onMark, onRetry }: CardProps) {
  const { t, i18n } = useLingui()
  const { name, state, isPlacing } = photo
  const { takenAt = t`不明`, takenFrom, position, positionFrom, canBeMarked } = usePhotoFacts(photo)
  const src = urlOf(usePhotoSource(photo, 'thumb'))
  const isParked = state === 'failed' || state === 'expired'
  const { reasons = [], status = 0 } = photo.unsent?.progress ?? {}
  const why =
    state === 'expired' ? t`24時間を過ぎたため、送信していません。` : refusalText(i18n, { reasons, status })
  return (
    <li className={cx(styles.photo, isParked && styles.failed)}>
      <button type="button" className={styles.open} aria-label={t`写真${n}を開く`} onClick={onOpen}>
        {src !== undefined && <img className={styles.image} src={src} alt="" decoding="async" />}
      </button>
      <div className={styles.body}>
        <SendStateBadge state={state} label={isNew(photo) ? undefined : t`送信済`} />
        <PhotoName name={name} />
        <PhotoFact from={takenFrom}>{t`撮影日時 ${takenAt}`}</PhotoFact>
        <PhotoFact from={position && positionFrom}>
          {position !== undefined && t`位置情報 ${position}`}
          {position === undefined && (isPlacing ? t`位置情報 確認中` : t`位置情報 なし`)}
        </PhotoFact>
      </div>
      <div>
        <button type="button" className={ACT} aria-label={t`${name}を削除`} onClick={onDelete}>
          <Icon as={Trash2} />
          {t`削除`}
        </button>
        {canBeMarked && isNew(photo) && (
          <button type="button" className={ACT} aria-label={t`${name}に黒板・書き込み`} onClick={onMark}>
            <Icon as={Presentation} />
            {t`黒板`}
          </button>
        )}
      </div>
      {isParked && (
        <div className={styles.error}>
          <Icon as={CircleX} />
          <span>{why}</span>
          <button type="button" className="ring-in" onClick={onRetry}>
            <Icon as={RotateCw} />
            {t`再送`}
          </button>
        </div>
      )}
    </li>
  )
}

/** A card for a picked file that is being read. It shows the thumbnail embedded in the file, if any. */
function LoadingCard({ name, src }: { name: string; src?: string | undefined }) {
  const { t } = useLingui()
  return (
    <li className={styles.photo} aria-busy="true">
      {src === undefined ? (
        <span className={styles.image} />
      ) : (
        <img className={styles.image} src={src} alt="" decoding="async" />
      )}
      <div className={styles.body}>
        <output>
          <SendStateBadge state="sending" label={t`読み込み中`} />
        </output>
        <PhotoName name={name} />
      </div>
    </li>
  )
}

/** Length of a file name's ending that tells photos apart. Example: 20261120091204118.jpg. */
const NAME_END = 21

const PhotoName = ({ name }: { name: string }) => (
  <span className={`${styles.name} num`} title={name}>
    <span aria-hidden="true">{name.length > NAME_END ? `…${name.slice(-NAME_END)}` : name}</span>
    <span className="vh">{name}</span>
  </span>
)

/** The popup 黒板・書き込み for an unsent photo (`?marks=`). It stays open if the photo is sent meanwhile. */
function FormMarks({ photos }: { photos: FormPhotos }) {
  const { key, close } = useOverlayInUrl('marks')
  const hasPhotos = photos.items.length > 0
  useAhead(Marking, hasPhotos)
  const unsent = photos.items.find((each) => each.key === key && each.state !== 'done')
  const photo = useLatched(key ?? '', unsent ?? 'absent')
  if (key === undefined || typeof photo === 'string') return null
  return (
    <Suspense>
      <Marking key={photo.key} photos={photos} photo={photo} onClose={close} />
    </Suspense>
  )
}
