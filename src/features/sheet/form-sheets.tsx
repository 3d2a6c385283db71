import { useLingui } from '@lingui/react/macro'
import { ClipboardList } from 'lucide-react'
import { Suspense, useEffect } from 'react'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { LinkBlock, StatusButton } from '#ui/controls/links.tsx'
import { usePhotoInUrl } from '#ui/photo/use-photo-in-url.ts'
import styles from './sheet-form.module.css'
import type { SheetSpec } from './sheet-spec.ts'
import { isRecorded, useStoredSheet } from './use-sheet.ts'

const SheetForm = lazyCode(async () => (await import('./sheet-form.tsx')).SheetForm)

interface FormSheetsProps {
  sheets: readonly SheetSpec[]
  photos: FormPhotos
}

/**
 * The buttons of a form's sheets, each with its state, and the sheet that is open. Pictures of sheets become photos of
 * the form.
 */
export function FormSheets({ sheets, photos }: FormSheetsProps) {
  const { key, close } = usePhotoInUrl('sheet')
  useEffect(() => {
    // The sheet's code is preloaded, so that a sheet opens at once, even offline.
    SheetForm.ahead().catch(() => undefined)
  }, [])
  const opened = sheets.find(({ name }) => name === key)
  return (
    <LinkBlock className={styles.sheets}>
      {sheets.map((spec) => (
        <SheetRow key={spec.name} spec={spec} photos={photos} />
      ))}
      {opened && (
        <Suspense>
          <SheetForm key={opened.name} spec={opened} photos={photos} onClose={close} />
        </Suspense>
      )}
    </LinkBlock>
  )
}

function SheetRow({ spec, photos }: { spec: SheetSpec; photos: FormPhotos }) {
  const { t, i18n } = useLingui()
  const { open } = usePhotoInUrl('sheet')
  const values = useStoredSheet(spec, photos.draft.target)
  const isDone = values ? isRecorded(values, photos) : false
  return (
    <StatusButton
      name={i18n._(spec.heading)}
      lead={ClipboardList}
      status={isDone ? 'done' : values ? 'draft' : 'todo'}
      word={isDone ? t`写真に追加済` : undefined}
      onClick={() => open(spec.name)}
    />
  )
}
