import { useLingui } from '@lingui/react/macro'
import { useStore } from '@tanstack/react-form'
import { useEffect } from 'react'
import { SafetyType } from '#schemas/codes.ts'
import type { SafetyTypeCode } from '#data/resources/safety-measures.ts'
import type { Visit } from '#data/visits/visits.ts'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { lazyRules, useLazySchema } from '#form/lazy-schema.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { FormSheets } from '#features/sheet/form-sheets.tsx'
import { gasSheet, MEASURED_TYPES, kySheet, useRecorded } from '#features/sheet/sheets.ts'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { type RequestFormProps, SaveBar } from '#features/request-form/request-form.tsx'
import { Narrow } from '#ui/layout/desk.tsx'
import { Notices, Pad } from '#ui/layout/layout.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { checklists, commonChecks, recordedCheck, type Checklist } from './checklists.ts'
import { AddChecklistPicture } from './checks-sheet.tsx'
import { safetyInputOf, openChecks, safetyPhotoProblem, startsOf, type SafetyInput } from './rules.ts'
import { useOverlayInUrl } from '#ui/popup/use-popup.ts'
import { messageText } from '#messages/messages.ts'
import { CheckList } from '#ui/controls/tick.tsx'
import { useServices } from '#data/context/app-context.tsx'
import { shownLabel } from '#lib/language.ts'
import { PhotosField } from '#features/photo/photos-field.tsx'
import { useBoundField, useFieldContext } from '#form/form-contexts.ts'

interface SafetyFormProps extends Omit<RequestFormProps, 'request'> {
  visit: Visit | null
  safetyType: SafetyTypeCode
  /** True if the measure was saved before. All items are then ticked initially. */
  ticked: boolean
  photos: FormPhotos
  onSave: () => Promise<void | 'not-saved'>
}

const checkRules = lazyRules(() => import('#schemas/resources/safety-measure-checks.ts'))

/** The form 安全対策, for registering and editing: the type's checklists, the common items and the photos. */
export function SafetyForm(props: SafetyFormProps) {
  const { action, title, back, visit, safetyType, ticked, photos, onSave } = props
  const { t } = useLingui()
  const schema = useLazySchema(checkRules, (code) => code.safetyMeasureDraft(safetyType))
  const form = useDraftForm<SafetyInput, Omit<SafetyInput, 'photos'>>({
    schema,
    defaultValues: safetyInputOf(safetyType, ticked),
    onSubmit: onSave,
    autosave: { key: photos.draft.key },
  })
  const open = useStore(form.store, ({ values }) => openChecks(values))
  const sheets = MEASURED_TYPES.includes(safetyType) ? [gasSheet, kySheet] : [kySheet]
  return (
    <form.AppForm>
      <RequestFormFrame
        title={title}
        back={back}
        request={visit?.request ?? null}
        footer={<SaveBar slug="safetyMeasure" action={action} />}
      >
        <Narrow>
          <form.PlainForm>
            <Notices>
              <form.DraftNotice />
            </Notices>
            <SectionHead right={open > 0 ? t`残り ${open}項目` : t`すべて確認済`}>
              {shownLabel(SafetyType.label(safetyType))}
            </SectionHead>
            <form.AppField name="checks">
              {() => <TypeChecks safetyType={safetyType} ticked={ticked} photos={photos} />}
            </form.AppField>
            <form.AppField name="common">{() => <CheckField list={commonChecks} from={0} />}</form.AppField>
            <form.AppField name="photos" validators={{ onDynamic: () => safetyPhotoProblem(photos) }}>
              {() => <SafetyPhotos photos={photos} />}
            </form.AppField>
            <AddChecklistPicture {...{ visit, safetyType, photos }} values={() => form.state.values} />
            <FormSheets sheets={sheets} photos={photos} />
          </form.PlainForm>
        </Narrow>
        <form.LeaveGuard />
      </RequestFormFrame>
    </form.AppForm>
  )
}

/** The type's checklists. The app ticks the item that confirms a measurement, unless the measure was saved before. */
function TypeChecks({
  safetyType,
  ticked,
  photos,
}: Pick<SafetyFormProps, 'safetyType' | 'ticked' | 'photos'>) {
  const starts = startsOf(safetyType)
  const measuredItem = recordedCheck[safetyType]
  return (
    <>
      {measuredItem !== undefined && !ticked && <MeasurementTick at={measuredItem} photos={photos} />}
      {checklists[safetyType].map((list, index) => (
        <CheckField key={list.heading.id} list={list} from={starts[index] ?? 0} recorded={measuredItem} />
      ))}
    </>
  )
}

interface CheckFieldProps {
  list: Checklist
  from: number
  /** Index of the item that only a recorded measurement ticks. Pressing it opens 酸素・硫化水素濃度測定記録. */
  recorded?: number | undefined
}

/** One checklist. Several checklists share one field, and each shows its own error. */
function CheckField({ list, from, recorded }: CheckFieldProps) {
  const { i18n } = useLingui()
  const { open } = useOverlayInUrl('sheet')
  const heading = i18n._(list.heading)
  const { value, onChange, error } = useBoundField<boolean[]>(heading)
  const end = from + list.items.length
  const ticks = value.slice(from, end)
  return (
    <CheckList
      heading={heading}
      items={list.items.map((item) => i18n._(item))}
      ticks={ticks}
      error={error && ticks.includes(false) ? messageText(i18n, 'checkAll', { field: heading }) : undefined}
      onTickAll={() => onChange(value.map((tick, at) => tick || (at !== recorded && at >= from && at < end)))}
      onTick={(index, on) =>
        from + index === recorded ? open(gasSheet.name) : onChange(value.with(from + index, on))
      }
    />
  )
}

/** Ticks the item `at` while the form has a photo of the filled-in 酸素・硫化水素濃度測定記録, and otherwise unticks it. */
function MeasurementTick({ at, photos }: { at: number; photos: FormPhotos }) {
  const field = useFieldContext<boolean[]>()
  const isRecorded = useRecorded(gasSheet, photos)
  const { value } = field.state
  useEffect(() => {
    if (isRecorded !== undefined && value[at] !== isRecorded) field.handleChange(value.with(at, isRecorded))
  }, [field, value, at, isRecorded])
  return null
}

/** 安全対策写真 as a form field. It is validated again when a photo is added, removed or refused. */
function SafetyPhotos({ photos }: { photos: FormPhotos }) {
  const { t } = useLingui()
  const { maxMb } = useServices().photo
  const label = t`安全対策写真`
  const field = useFieldContext()
  const { error } = useBoundField(label)
  const problem = safetyPhotoProblem(photos)
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
