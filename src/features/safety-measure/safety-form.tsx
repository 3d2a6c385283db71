import { useLingui } from '@lingui/react/macro'
import { useStore } from '@tanstack/react-form'
import type { ReactNode } from 'react'
import { SafetyType } from '#schemas/codes.ts'
import type { FormAction } from '#data/offline-policy.ts'
import type { SafetyTypeCode } from '#data/safety-measures.ts'
import type { Visit } from '#data/visits.ts'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { laterRules, useLaterRules } from '#form/later-rules.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { SaveBar } from '#features/request-form/save-bar.tsx'
import { Narrow } from '#ui/desk.tsx'
import { Notices } from '#ui/layout.tsx'
import { SectionHead } from '#ui/section.tsx'
import { CheckField } from './check-field.tsx'
import { checklists, commonChecks } from './checklists.ts'
import { inputOf, openChecks, photoProblem, startsOf, type SafetyInput } from './rules.ts'
import { SafetyPhotos } from './safety-photos.tsx'

interface SafetyFormProps {
  action: FormAction
  title: string
  back: ReactNode
  visit: Visit | null
  safetyType: SafetyTypeCode
  /** It was saved before, so all was ticked. */
  ticked: boolean
  photos: FormPhotos
  onSave: () => Promise<void | 'not-saved'>
}

const checkRules = laterRules(() => import('#schemas/safety-measure-checks.ts'))

/** The form 安全対策, of registering and of editing: the checklists of the type, the common ones, the photos. */
export function SafetyForm({
  action,
  title,
  back,
  visit,
  safetyType,
  ticked,
  photos,
  onSave,
}: SafetyFormProps) {
  const { t } = useLingui()
  const schema = useLaterRules(checkRules, (code) => code.safetyMeasureDraft(safetyType))
  const form = useDraftForm<SafetyInput, Omit<SafetyInput, 'photos'>>({
    schema,
    defaultValues: inputOf(safetyType, ticked),
    onSubmit: onSave,
    autosave: { key: photos.draft.key },
  })
  const open = useStore(form.store, ({ values }) => openChecks(values))
  const starts = startsOf(safetyType)
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
              {SafetyType.label(safetyType)}
            </SectionHead>
            <form.AppField name="checks">
              {() =>
                checklists[safetyType].map((list, index) => (
                  <CheckField key={list.heading.id} list={list} from={starts[index] ?? 0} />
                ))
              }
            </form.AppField>
            <form.AppField name="common">{() => <CheckField list={commonChecks} from={0} />}</form.AppField>
            <form.AppField name="photos" validators={{ onDynamic: () => photoProblem(photos) }}>
              {() => <SafetyPhotos photos={photos} />}
            </form.AppField>
          </form.PlainForm>
        </Narrow>
        <form.LeaveGuard />
      </RequestFormFrame>
    </form.AppForm>
  )
}
