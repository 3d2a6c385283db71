import { useLingui } from '@lingui/react/macro'
import { ClipboardList } from 'lucide-react'
import { Suspense } from 'react'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { lazyCode, useAhead } from '#ui/base/lazy-code.ts'
import { LinkBlock, StatusButton } from '#ui/controls/links.tsx'
import { useOverlayInUrl } from '#ui/popup/use-popup.ts'
import styles from './sheet-form.module.css'
import type { SheetSpec } from './sheet-spec.ts'
import { isRecorded, useStoredSheet } from './sheets.ts'

const SheetForm = lazyCode(async () => (await import('./sheet-form.tsx')).SheetForm)

/** The buttons that open the sheets of a form (`sheet-spec.ts`), and the open sheet (`?sheet=`). */
export function FormSheets({ sheets, photos }: { sheets: readonly SheetSpec[]; photos: FormPhotos }) {
  const { key: openName, close } = useOverlayInUrl('sheet')
  useAhead(SheetForm)
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

/** The button of one sheet. The state 写真に追加済 means that the form has a photo of the sheet's current values. */
function SheetRow({ spec, photos }: { spec: SheetSpec; photos: FormPhotos }) {
  const { t, i18n } = useLingui()
  const { open } = useOverlayInUrl('sheet')
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
