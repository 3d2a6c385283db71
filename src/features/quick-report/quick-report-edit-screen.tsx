import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { inputOf } from '#schemas/declare/form-values.ts'
import { quickReport } from '#schemas/resources/quick-report.ts'
import { messageText } from '#messages/messages.ts'
import { useFetchedRecord } from '#data/context/use-fetched-record.ts'
import { useToday } from '#data/context/use-now.ts'
import { useLatched, useOpened } from '#data/context/use-latched.ts'
import { useReport } from '#data/visits/use-visits.ts'
import type { ReportedVisit } from '#data/visits/visits.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { saveReport } from './commands.ts'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { ReportForm, useLeaveReport } from './report-form.tsx'
import { ExitTimes, RecordedTimes } from './report-times.tsx'
import { contentOf, editBlockedBy, unsentContent } from './rules.ts'

/**
 * The screen 退館報告編集. It opens only if the report's content is on the device, because the save would otherwise overwrite
 * content that the user has not seen. An open form keeps its content if the CRM announces newer content. The save
 * merges both (sync RULES MG3).
 */
export function QuickReportEditScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const reported = useLatched(id, useReport(id))
  const report = typeof reported === 'string' ? undefined : reported.report
  const isWhole = report !== undefined && (report.detailed || !report.outTime)
  // A report without its content counts as absent, so that it is requested from the CRM.
  const content = useFetchedRecord('quickReports', report?.id ?? id, isWhole ? report : report && null)
  const isOpen = useOpened(isWhole)
  if (typeof reported === 'string') return <RequestFormAbsent title={t`退館報告編集`} state={reported} />
  if (isOpen || typeof content !== 'string') return <EditForm reported={reported} />
  return <RequestFormAbsent title={t`退館報告編集`} state={content} />
}

function EditForm({ reported }: { reported: ReportedVisit }) {
  const { t, i18n } = useLingui()
  const leave = useLeaveReport()
  const { report } = reported
  // The record is read once, so an answer of the CRM does not change the form while the user types.
  const [record] = useState(reported.record)
  const outTime = report.outTime ?? unsentContent(reported.record)?.outTime ?? null
  // For an unsent exit, only the change has the exit time. Without the time, `editBlockedBy` would forbid the edit.
  const bar = editBlockedBy({ ...report, outTime }, useToday())
  const go = () => (bar === 'ec00013' ? leave.toRequest(report) : leave.toReport(report))
  // Until the CRM has the exit, a correction is saved as a change of kind `exit`, which replaces the unsent one.
  const kind = reported.record.server?.outTime ? 'edit' : 'exit'
  return (
    <ReportForm
      action="edit"
      title={t`退館報告編集`}
      back={<BackLink to="/quickReport/$id" params={{ id: report.id }} />}
      reported={reported}
      record={record}
      initial={inputOf(quickReport, unsentContent(record) ?? report)}
      draft={{ key: `quickReport/edit/${record.key}` }}
      bar={bar && { text: messageText(i18n, bar, { subject: t`退館報告` }), go }}
      times={
        report.outTime === null && outTime ? (
          <ExitTimes reported={reported} savedExit={outTime} />
        ) : (
          <RecordedTimes reported={reported} />
        )
      }
      write={(input) => (saver) => saveReport(saver, [record], kind, contentOf(input, outTime ?? ''))}
    />
  )
}
