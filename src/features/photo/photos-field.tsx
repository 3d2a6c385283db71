import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type ReactNode } from 'react'
import { PHOTO_EXTENSIONS } from '#schemas/limits.ts'
import { useToday } from '#data/use-now.ts'
import { useFormKeeper } from '#form/form-contexts.ts'
import { shortStampText } from '#lib/tokyo-time.ts'
import { reasonText } from '#messages/reason-text.ts'
import { FieldGroup } from '#ui/field-group.tsx'
import { AddPhoto, PhotoCard, PhotoList } from '#ui/photo.tsx'
import { placeLabel } from './place-label.ts'
import type { FormPhoto, FormPhotos } from './use-form-photos.ts'
import { usePhotoUrl } from './use-photo-url.ts'

/** The types by name and by extension: some phones know only the one, some only the other. */
const ACCEPT = ['image/png', 'image/jpeg', ...PHOTO_EXTENSIONS.map((extension) => `.${extension}`)].join(',')

interface PhotosFieldProps {
  photos: FormPhotos
  /** 写真, 安全対策写真 */
  label: string
  required?: boolean | undefined
  help?: ReactNode
  error?: string | undefined
}

/** The photos of a form: each with thumbnail, 撮影日時, 位置情報, state and 削除; 写真を追加 comes last. */
export function PhotosField({ photos, label, required, help, error }: PhotosFieldProps) {
  const keeper = useFormKeeper()
  const add = useRef<HTMLInputElement>(null)
  // what was pressed is gone with its card: the keyboard goes on from here
  const remove = (photo: FormPhoto) => {
    photos.remove(photo)
    add.current?.focus()
  }
  const { bind, changed } = photos
  const { key } = keeper
  useEffect(() => {
    if (key !== undefined) bind(key)
  }, [bind, key])
  useEffect(() => {
    keeper.setChanged(changed)
  }, [keeper, changed])
  return (
    <FieldGroup label={label} required={required} help={help} error={error} busy={photos.reading}>
      {(describedBy) => (
        <>
          <PhotoList>
            {photos.items.map((photo) => (
              <Card
                key={photo.key}
                photo={photo}
                onDelete={() => remove(photo)}
                onRetry={() => photos.resend(photo)}
              />
            ))}
          </PhotoList>
          <AddPhoto ref={add} accept={ACCEPT} onFiles={photos.add} describedBy={describedBy} />
        </>
      )}
    </FieldGroup>
  )
}

interface CardProps {
  photo: FormPhoto
  onDelete: () => void
  onRetry: () => void
}

function Card({ photo, onDelete, onRetry }: CardProps) {
  const { t, i18n } = useLingui()
  const { key, name, size, state, takenAt, placeInfo, unsent } = photo
  const today = useToday()
  const isParked = state === 'failed' || state === 'expired'
  const [reason = 'ec00017'] = unsent?.ledger?.reasons ?? []
  const why = state === 'expired' ? t`24時間を過ぎたため、送信していません。` : reasonText(i18n, reason)
  return (
    <PhotoCard
      src={usePhotoUrl(key, size)}
      name={name}
      state={state}
      takenAt={shortStampText(takenAt, today) || t`不明`}
      position={placeLabel(placeInfo)}
      onDelete={onDelete}
      error={isParked ? why : undefined}
      onRetry={isParked ? onRetry : undefined}
    />
  )
}
