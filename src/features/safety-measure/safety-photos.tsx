import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { useServices } from '#data/app-context.tsx'
import { PhotosField } from '#features/photo/photos-field.tsx'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { useFieldContext } from '#form/form-contexts.ts'
import { useBoundField } from '#form/use-bound-field.ts'
import { Pad } from '#ui/layout.tsx'
import { photoProblem } from './rules.ts'

/** 安全対策写真 as a field of the form: judged with the others, and anew when a photo comes, goes or fails. */
export function SafetyPhotos({ photos }: { photos: FormPhotos }) {
  const { t } = useLingui()
  const { maxMb } = useServices().photo
  const label = t`安全対策写真`
  const field = useFieldContext()
  const { error } = useBoundField(label)
  const problem = photoProblem(photos)
  useEffect(() => void field.validate('change'), [field, problem])
  return (
    <Pad>
      <PhotosField
        photos={photos}
        label={label}
        required
        help={t`対策ごとに1枚ずつ撮影してください。png、jpeg、jpg。送信するサイズは1枚${maxMb}MBまで。`}
        error={error}
      />
    </Pad>
  )
}
