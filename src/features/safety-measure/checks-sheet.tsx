/** The picture チェックリスト of 安全対策, drawn like a paper form without fields of its own. One press adds it to the photos. */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { SafetyType } from '#schemas/codes.ts'
import { useServices } from '#data/context/app-context.tsx'
import { useNow } from '#data/context/use-now.ts'
import type { SafetyTypeCode } from '#data/resources/safety-measures.ts'
import type { Visit } from '#data/visits/visits.ts'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { visitFacts } from '#features/sheet/draw-sheet.ts'
import { SheetProblemText, useSheetPicture } from '#features/sheet/use-sheet-picture.ts'
import type { DrawnSheet, SheetTexts } from '#features/sheet/sheet-spec.ts'
import { inJapanese } from '#lib/language.ts'
import { timeText, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { Button } from '#ui/controls/button.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { checklists, commonChecks } from './checklists.ts'
import type { SafetyInput } from './rules.ts'

/** Properties of all fields. The app writes the texts, so no text is validated. */
const untyped = { max: 2_000, isOptional: true } as const

const checksSheet: DrawnSheet = {
  name: 'checks',
  heading: msg`チェックリスト`,
  fileName: 'チェックリスト.jpg',
  rows: {
    label: msg`チェックリスト`,
    fields: [
      { ...untyped, name: 'list', label: msg`対策`, kind: 'line' },
      { ...untyped, name: 'ticked', label: msg`確認済`, kind: 'lines' },
      { ...untyped, name: 'open', label: msg`残り`, kind: 'lines' },
    ],
  },
  fields: [
    { ...untyped, name: 'type', label: msg`安全対策`, kind: 'line' },
    { ...untyped, name: 'at', label: msg`作成日時`, kind: 'now' },
    { ...untyped, name: 'author', label: msg`作成者`, kind: 'line' },
  ],
  stopsIn: () => [],
}

function rowsOf(safetyType: SafetyTypeCode, { checks, common }: SafetyInput, i18n: I18n): SheetTexts['rows'] {
  const ticks = [...checks, ...common]
  return [...checklists[safetyType], commonChecks].map(({ heading, items }) => {
    // The ticks of all lists are in one array, list by list.
    const own = ticks.splice(0, items.length)
    const textOf = (isTicked: boolean) =>
      items.flatMap((item, index) => (own[index] === isTicked ? [`・${i18n._(item)}`] : [])).join('\n')
    return { list: i18n._(heading), ticked: textOf(true), open: textOf(false) }
  })
}

interface AddChecklistPictureProps {
  visit: Visit | null
  safetyType: SafetyTypeCode
  photos: FormPhotos
  values: () => SafetyInput
}

/** The button that adds a picture of the checklists to the form's photos. The picture replaces an earlier unsent one. */
export function AddChecklistPicture({ visit, safetyType, photos, values }: AddChecklistPictureProps) {
  const { t, i18n } = useLingui()
  const now = useNow()
  const { session } = useServices()
  const { problem, isMaking, make } = useSheetPicture(checksSheet, photos)
  const [addedAt, setAddedAt] = useState('')
  const press = async () => {
    const at = toTokyoIso(now())
    const author = session.get()?.userInfo.loginUserName ?? ''
    const fields = { type: SafetyType.label(safetyType), at, author }
    const [rows, facts] = inJapanese(() => [
      rowsOf(safetyType, values(), i18n),
      visitFacts(visit?.request ?? null, photos.draft.target.workingDate, i18n),
    ])
    const isAdded = await make({ fields, rows }, facts)
    setAddedAt(isAdded ? timeText(at) : '')
  }
  return (
    <Pad>
      <Button icon={ListChecks} wide busy={isMaking} onClick={() => void press()}>
        {t`チェックリストを写真に追加`}
      </Button>
      <output>
        {problem && <SheetProblemText why={problem} />}
        {addedAt !== '' && t`${addedAt}の内容を写真に追加しました。`}
      </output>
    </Pad>
  )
}
