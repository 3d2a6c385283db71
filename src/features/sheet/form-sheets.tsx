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
 * A button for each sheet of a form (`sheet-spec.ts`), with the sheet's state, and the sheet that is open. The URL's search
 * parameter `sheet` names the open sheet. When a sheet is saved, its picture is added to the form's photos.
 */
export function FormSheets({ sheets, photos }: FormSheetsProps) {
  const { key: openName, close } = usePhotoInUrl('sheet')
  useEffect(() => {
    // The sheet's code is preloaded, so that a sheet opens at once, even offline.
    SheetForm.ahead().catch(() => undefined)
  }, [])
  const opened = sheets.find(({ name }) => name === openName)
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

/** The button of one sheet: 未, a draft, or 写真に追加済 once a photo of the form shows the sheet's present values. */
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
