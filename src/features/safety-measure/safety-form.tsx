import { useLingui } from '@lingui/react/macro'
import { useStore } from '@tanstack/react-form'
import { useEffect, useState } from 'react'
import { SafetyType } from '#schemas/codes.ts'
import {
  isRegistered,
  isUnnecessary,
  type SafetyMeasureView,
  type SafetyTypeCode,
} from '#data/resources/safety-measures.ts'
import type { Visit } from '#data/visits/visits.ts'
import { type FormPhotos, useFormPhotos } from '#features/photo/use-form-photos.ts'
import { useSave, type Save } from '#features/request-form/use-save.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { lazyRules, useLazySchema, useDraftForm } from '#form/use-draft-form.ts'
import { FormSheets } from '#features/sheet/form-sheets.tsx'
import { gasSheet, MEASURED_TYPES, kySheet, useRecorded } from '#features/sheet/sheets.ts'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { type RequestFormProps, SaveBar } from '#features/request-form/request-form.tsx'
import { Narrow } from '#ui/layout/desk.tsx'
import { Notices, Pad } from '#ui/layout/layout.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { checklists, commonChecks, recordedCheck, type Checklist } from './checklists.ts'
import { safetyInputOf, openChecks, safetyPhotoProblem, startsOf, type SafetyInput } from './rules.ts'
import { useOverlayInUrl } from '#ui/popup/use-popup.ts'
import { messageText } from '#messages/messages.ts'
import { CheckList } from '#ui/controls/tick.tsx'
import { useServices } from '#data/context/app-context.tsx'
import { shownLabel, inJapanese } from '#lib/language.ts'
import { PhotosField } from '#features/photo/photos-field.tsx'
import { useBoundField, useFieldContext } from '#form/form-contexts.ts'
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { ListChecks } from 'lucide-react'
import { useNow } from '#data/context/use-now.ts'
import { visitFacts } from '#features/sheet/draw-sheet.ts'
import { SheetProblemText, useSheetPicture } from '#features/sheet/use-sheet-picture.ts'
import type { DrawnSheet, SheetTexts } from '#features/sheet/sheet-spec.ts'
import { timeText, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { Button } from '#ui/controls/button.tsx'

interface SafetyFormProps extends Pick<RequestFormProps, 'action' | 'back'>, Pick<Save, 'write'> {
  visit: Visit | null
  of: Pick<RequestRecord, 'id' | 'workingDate'>
  recordKey: string
  safetyType: SafetyTypeCode
  /** The measure as it is now; null if nobody has registered it. */
  measure: SafetyMeasureView | null
  /** True if the measure was saved before. All items are then ticked initially. */
  ticked: boolean
  leave: { toMeasure: (measure: SafetyMeasureView) => Promise<void>; back: () => Promise<void> }
}

const checkRules = lazyRules(() => import('#schemas/resources/safety-measure-checks.ts'))

/** The form 安全対策, for registering and editing: the type's checklists, the common items and the photos. */
export function SafetyForm(props: SafetyFormProps) {
  const { action, back, visit, of, recordKey, safetyType, measure, ticked, leave, write } = props
  const { t, i18n } = useLingui()
  const { id: requestId, workingDate } = of
  const target = { resource: 'safetyMeasures', recordKey, requestId, workingDate }
  const photos = useFormPhotos(target, `safetyMeasure/${action}/${recordKey}`, action === 'edit')
  const submit = useSave('safetyMeasure', action)
  // A colleague may have registered 不要 meanwhile. Its detail screen shows no photos, so they stay in the draft.
  const isBarred = measure !== null && isRegistered(measure) && isUnnecessary(measure)
  const text = messageText(i18n, 'ec00027')
  const bar = isBarred ? { text, go: () => leave.toMeasure(measure) } : null
  const schema = useLazySchema(checkRules, (code) => code.safetyMeasureDraft(safetyType))
  const form = useDraftForm<SafetyInput, Omit<SafetyInput, 'photos'>>({
    schema,
    defaultValues: safetyInputOf(safetyType, ticked),
    onSubmit: () => submit({ draft: photos.draft, bar, write, leave: leave.back }),
    autosave: { key: photos.draft.key },
  })
  const open = useStore(form.store, ({ values }) => openChecks(values))
  const sheets = MEASURED_TYPES.includes(safetyType) ? [gasSheet, kySheet] : [kySheet]
  return (
    <form.AppForm>
      <RequestFormFrame
        title={action === 'edit' ? t`安全対策編集` : t`安全対策登録`}
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
}: Pick<SafetyFormProps, 'safetyType' | 'ticked'> & { photos: FormPhotos }) {
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
function AddChecklistPicture({ visit, safetyType, photos, values }: AddChecklistPictureProps) {
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
