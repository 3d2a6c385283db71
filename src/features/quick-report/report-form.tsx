import { useLingui } from '@lingui/react/macro'
import { useStore } from '@tanstack/react-form'
import { useNavigate } from '@tanstack/react-router'
import { Siren } from 'lucide-react'
import type { ReactNode } from 'react'
import { quickReport, type QuickReportRecord } from '#schemas/resources/quick-report.ts'
import { useBackOr } from '#data/context/use-leave-form.ts'
import type { QuickReportView } from '#data/visits/quick-report-view.ts'
import type { ReportedVisit } from '#data/visits/visits.ts'
import { useFormContext } from '#form/form-contexts.ts'
import type { ControlsFor } from '#form/use-declared-form.tsx'
import { SubBar } from '#ui/controls/filter-bar.tsx'
import { useOpenPopup } from '#ui/popup/use-popup.ts'
import { NextPerson } from '#features/handover/next-person.tsx'
import { RecordForm, type RecordFormProps } from '#features/request-form/request-form.tsx'
import { needsContent, needsReason1, needsReason2, reasonsAfter, type ReportInput } from './rules.ts'
import { PHRASES } from '#messages/phrases.ts'

type Own = 'action' | 'title' | 'back' | 'record' | 'initial' | 'draft' | 'bar' | 'write'

interface ReportFormProps extends Pick<RecordFormProps<typeof quickReport, QuickReportRecord>, Own> {
  reported: ReportedVisit
  /** The entry and exit times, and for まとめて登録 the list of requests. */
  times: ReactNode
}

/** The form 退館報告, for registering and editing. */
export function ReportForm({ reported: { report, visit }, times, ...form }: ReportFormProps) {
  const { t } = useLingui()
  const leave = useLeaveReport()
  const controls = useReportControls()
  // The form's routes render the popup, because features do not import each other.
  const openEmergencies = useOpenPopup('emergencyReports')
  return (
    <RecordForm
      {...form}
      declaration={quickReport}
      controls={controls}
      request={visit?.request ?? null}
      leave={() => leave.back(report)}
      above={<SubBar icon={Siren} onClick={openEmergencies}>{t`緊急報告一覧`}</SubBar>}
      lead={times}
      below={form.action === 'add' && visit && <NextPerson request={visit.request} />}
    />
  )
}

export function useReportControls(): ControlsFor<typeof quickReport> {
  const { t } = useLingui()
  return {
    type: {
      listeners: {
        onChange({ value, fieldApi: { form } }) {
          const next = reasonsAfter(value, form.state.values)
          form.setFieldValue('reason1', next.reason1)
          form.setFieldValue('reason2', next.reason2)
        },
      },
      control: (field, declared) => <field.RadioField label={t`作業区分`} {...declared} />,
    },
    // A field without a control stays mounted, so that a new work category validates the field and clears the error.
    reason1: (field, declared) => (
      <ByRule rule={needsReason1}>
        {(isAsked) => isAsked && <field.RadioField label={t`残作業の理由`} {...declared} required />}
      </ByRule>
    ),
    reason2: (field, declared) => (
      <ByRule rule={needsReason2}>
        {(isAsked) => isAsked && <field.RadioField label={t`中止・延期の理由`} {...declared} required />}
      </ByRule>
    ),
    reportContent: (field, declared) => (
      <ByRule rule={needsContent}>
        {(required) => (
          <field.TextAreaField
            label={t`その他報告内容`}
            {...declared}
            phrases={PHRASES.report}
            required={required}
            help={t`次回の作業者に伝えることがあれば入力します。`}
          />
        )}
      </ByRule>
    ),
  }
}

interface ByRuleProps {
  rule: (input: ReportInput) => boolean
  children: (holds: boolean) => ReactNode
}

/** A control that depends on other fields. Typing in those fields renders it again only if the rule's result changes. */
function ByRule({ rule, children }: ByRuleProps) {
  return children(useStore(useFormContext().store, ({ values }) => rule(values as object as ReportInput)))
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
