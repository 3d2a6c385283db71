import { useLingui } from '@lingui/react/macro'
import { useStore } from '@tanstack/react-form'
import { useNavigate } from '@tanstack/react-router'
import { Siren } from 'lucide-react'
import type { ReactNode } from 'react'
import { quickReport } from '#schemas/resources/quick-report.ts'
import { useBackOr } from '#data/context/use-leave-form.ts'
import type { QuickReportView } from '#data/visits/quick-report-view.ts'
import type { Visit } from '#data/visits/visits.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { SubBar } from '#ui/controls/filter-bar.tsx'
import { useOpenPopup } from '#ui/popup/use-popup.ts'
import { NextPerson } from '#features/handover/next-person.tsx'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { type RequestFormProps, SaveBar } from '#features/request-form/request-form.tsx'
import { needsContent, needsReason1, needsReason2, reasonsAfter, type ReportInput } from './rules.ts'
import { PHRASES } from '#messages/phrases.ts'

interface ReportFormProps extends Omit<RequestFormProps, 'request'> {
  visit: Visit | null
  initial: ReportInput
  server?: object | undefined
  draftKey: string
  /** The entry and exit times, and for まとめて登録 the list of requests. */
  times: ReactNode
  onSave: (input: ReportInput) => Promise<void | 'not-saved'>
}

/** The form 退館報告, for registering and editing. */
export function ReportForm(props: ReportFormProps) {
  const { action, title, back, visit, times } = props
  const { t } = useLingui()
  // The form's routes render the popup, because features do not import each other.
  const openEmergencies = useOpenPopup('emergencyReports')
  const form = useReportForm(props)
  return (
    <form.AppForm>
      <RequestFormFrame
        title={title}
        back={back}
        request={visit?.request ?? null}
        footer={<SaveBar slug="quickReport" action={action} />}
      >
        <SubBar icon={Siren} onClick={openEmergencies}>{t`緊急報告一覧`}</SubBar>
        <form.FormBody>
          {times}
          <ReportFields form={form} />
        </form.FormBody>
        {action === 'add' && visit && <NextPerson request={visit.request} />}
        <form.LeaveGuard />
      </RequestFormFrame>
    </form.AppForm>
  )
}

const useReportForm = ({ initial, server, draftKey, onSave }: ReportFormProps) =>
  useDeclaredForm({
    declaration: quickReport,
    defaultValues: initial,
    server,
    onSubmit: onSave,
    autosave: { key: draftKey },
  })

function ReportFields({ form }: { form: ReturnType<typeof useReportForm> }) {
  const { t } = useLingui()
  // Only these two values decide which fields are shown, so typing in other fields renders nothing here.
  const type = useStore(form.store, ({ values }) => values.type)
  const reason2 = useStore(form.store, ({ values }) => values.reason2)
  const clearReasons = ({ value }: { value: string }) => {
    const next = reasonsAfter(value, form.state.values)
    form.setFieldValue('reason1', next.reason1)
    form.setFieldValue('reason2', next.reason2)
  }
  return form.fields({
    type: {
      listeners: { onChange: clearReasons },
      control: (field, declared) => <field.RadioField label={t`作業区分`} {...declared} />,
    },
    // A field without a control stays mounted, so that a new work category validates the field and clears the error.
    reason1: (field, declared) =>
      needsReason1({ type }) && <field.RadioField label={t`残作業の理由`} {...declared} required />,
    reason2: (field, declared) =>
      needsReason2({ type }) && <field.RadioField label={t`中止・延期の理由`} {...declared} required />,
    reportContent: (field, declared) => (
      <field.TextAreaField
        label={t`その他報告内容`}
        {...declared}
        phrases={PHRASES.report}
        required={needsContent({ type, reason2 })}
        help={t`次回の作業者に伝えることがあれば入力します。`}
      />
    ),
  })
}

/** Returns functions that leave a screen of 退館報告. All except `back` replace the screen's history entry. */
export function useLeaveReport() {
  const navigate = useNavigate()
  const backOr = useBackOr()
  const toRequest = ({ requestId, workingDate }: QuickReportView) =>
    navigate({ to: '/request/$id', params: { id: requestId }, search: { workingDate }, replace: true })
  return {
    toRequest,
    toReport: ({ id }: QuickReportView) =>
      navigate({ to: '/quickReport/$id', params: { id }, replace: true }),
    toList: () => navigate({ to: '/request', search: {}, replace: true }),
    /** Opens the previous screen, or the request if the history has none. */
    back: (report: QuickReportView) => backOr(() => toRequest(report)),
  }
}
