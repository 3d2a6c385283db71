import { useLingui } from '@lingui/react/macro'
import { ClipboardCheck, FileText } from 'lucide-react'
import { fieldText } from '#data/resources/field-text.ts'
import { goesWith, quickReport } from '#schemas/resources/quick-report.ts'
import { useToday } from '#data/context/use-now.ts'
import { useOffered } from '#data/context/use-offline-policy.ts'
import { useReport } from '#data/visits/use-visits.ts'
import type { QuickReportView } from '#data/visits/quick-report-view.ts'
import type { ReportedVisit } from '#data/visits/visits.ts'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { ButtonLink } from '#ui/controls/button.tsx'
import { PathButton } from '#ui/controls/path-link.tsx'
import { Def, Defs } from '#ui/layout/defs.tsx'
import { Narrow } from '#ui/layout/desk.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { SendStateBadge } from '#ui/feedback/send-state.tsx'
import { EditBar, EditLink } from '#features/request-form/edit-bar.tsx'
import { NightLine } from '#features/request-form/night-marks.tsx'
import { RequestFormAbsent, RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { RecordedTimes } from './report-times.tsx'
import { ChangeHistory } from '#features/request-form/change-history.tsx'
import { editBlockedBy, reportText } from './rules.ts'

/** The screen 退館報告詳細. */
export function QuickReportViewScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const reported = useReport(id)
  if (typeof reported === 'string') return <RequestFormAbsent title={t`退館報告詳細`} state={reported} />
  return <ReportView reported={reported} />
}

function ReportView({ reported }: { reported: ReportedVisit }) {
  const { t } = useLingui()
  const { report, visit } = reported
  const { requestId, workingDate, unsent } = report
  return (
    <RequestFormFrame
      title={t`退館報告詳細`}
      back={<BackLink to="/request/$id" params={{ id: requestId }} search={{ workingDate }} />}
      request={visit?.request ?? null}
      footer={<ViewBar report={report} />}
    >
      {visit && <NightLine visit={visit} />}
      <Narrow>
        <Pad>
          <RecordedTimes reported={reported} />
        </Pad>
        {unsent && (
          <Pad>
            <SendStateBadge state={unsent.state} count={unsent.count > 1 ? unsent.count : undefined} />
          </Pad>
        )}
        {/* Space above the rows. */}
        <Pad>{''}</Pad>
        <ReportRows reported={reported} />
        {report.outTime && <WorkReportLink report={report} />}
        <ReportHistory reported={reported} />
      </Narrow>
    </RequestFormFrame>
  )
}

function ReportRows({ reported: { record, report } }: { reported: ReportedVisit }) {
  const { t } = useLingui()
  const { type, reportContent, detailed } = report
  const textOf = (name: 'type' | 'reason1' | 'reason2') =>
    fieldText(quickReport, name, report[name], record.server)
  const none = t`なし`
  const unknown = detailed ? none : t`詳細はまだ端末に保存されていません`
  // The category comes with the list of requests, the reasons later. They may still belong to an old category.
  const reason = (name: 'reason1' | 'reason2') =>
    type && !goesWith(name, type) ? none : textOf(name) || unknown
  return (
    <Defs wideLabels>
      <Def label={t`作業区分`}>{textOf('type') || t`未登録`}</Def>
      <Def label={t`残作業の理由`}>{reason('reason1')}</Def>
      <Def label={t`中止・延期の理由`}>{reason('reason2')}</Def>
      <Def label={t`その他報告内容`} long>
        {reportContent || unknown}
      </Def>
    </Defs>
  )
}

function WorkReportLink({ report: { requestId, workingDate } }: { report: QuickReportView }) {
  const { t } = useLingui()
  const search = new URLSearchParams({ workingDate, popup: 'report' })
  return (
    <Pad>
      <PathButton path={`/request/${encodeURIComponent(requestId)}?${search.toString()}`} icon={FileText}>
        {t`作業報告書`}
      </PathButton>
    </Pad>
  )
}

function ReportHistory({ reported: { record, report } }: { reported: ReportedVisit }) {
  const { t } = useLingui()
  const mayEdit = editBlockedBy(report, useToday()) === null
  const labels = {
    inTime: t`入館時刻`,
    outTime: t`退館時刻`,
    type: t`作業区分`,
    reason1: t`残作業の理由`,
    reason2: t`中止・延期の理由`,
    reportContent: t`その他報告内容`,
  }
  return (
    <ChangeHistory
      declaration={quickReport}
      record={record}
      now={{ ...report }}
      labels={labels}
      textOf={(field, value) => reportText(field, value, record.server)}
      editPath={mayEdit ? `/quickReport/${encodeURIComponent(report.id)}/edit` : null}
    />
  )
}

/** The action bar: 編集, or the reason why the report cannot be edited. Before the exit, a link to 退館報告登録. */
function ViewBar({ report }: { report: QuickReportView }) {
  const { t } = useLingui()
  const { id } = report
  const bar = editBlockedBy(report, useToday())
  const exitOffered = useOffered('quickReport', 'add')
  if (bar === 'ec00013' && exitOffered)
    return (
      <ActionBar>
        <ButtonLink
          to="/quickReport/add/$quickReportId"
          params={{ quickReportId: id }}
          search={{}}
          variant="primary"
          wide
          icon={ClipboardCheck}
        >
          {t`退館報告`}
        </ButtonLink>
      </ActionBar>
    )
  return (
    <EditBar
      slug="quickReport"
      locked={bar !== null}
      why={bar === 'ec00012' ? t`作業日から7日を過ぎています` : undefined}
    >
      <EditLink to="/quickReport/$id/edit" params={{ id }} />
    </EditBar>
  )
}
