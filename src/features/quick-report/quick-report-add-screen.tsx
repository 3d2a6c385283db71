import { useLingui } from '@lingui/react/macro'
import { useEffect, useMemo, useState } from 'react'
import { inputOf } from '#schemas/declare/form-values.ts'
import { quickReport } from '#schemas/resources/quick-report.ts'
import { messageText } from '#messages/messages.ts'
import { useServices } from '#data/context/app-context.tsx'
import { useFetchedRecord, useFetchedRecords } from '#data/context/use-fetched-record.ts'
import { useOpened, useLatched } from '#data/context/use-latched.ts'
import { useNow, useToday } from '#data/context/use-now.ts'
import { useItsRequest, useTheirRequests, useVisitsOfReports } from '#data/visits/use-visits.ts'
import type { ReportedVisit } from '#data/visits/visits.ts'
import { toTokyoIso, timeOn } from '#lib/time/tokyo-time.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { saveReport } from './commands.ts'
import { ClockWarning } from '#features/request-form/notices.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { ReportForm, useLeaveReport } from './report-form.tsx'
import { ExitTimes } from './report-times.tsx'
import { contentOf, exitDraftKey, otherIds, reportedOf, unsentContent, whyBarred } from './rules.ts'
import type { Reported } from './rules.ts'
import { Brief, BriefItem } from '#ui/request/brief.tsx'

interface QuickReportAddScreenProps {
  quickReportId: string
  /** Ids of further reports, comma-separated, for まとめて登録. The form saves the same content for all of them. */
  other: string | undefined
}

/** The screen 退館報告登録. */
export function QuickReportAddScreen({ quickReportId, other }: QuickReportAddScreenProps) {
  const { t } = useLingui()
  const ids = useMemo(() => [quickReportId, ...otherIds(other, quickReportId)], [quickReportId, other])
  const found = useVisitsOfReports(ids)
  const { main: known, others, missing } = reportedOf(ids, found ?? [])
  // Reports and requests that are not on the device are requested from the CRM.
  const main = useLatched(quickReportId, useFetchedRecord('quickReports', quickReportId, found && known))
  const areReportsComing = useFetchedRecords('quickReports', found && missing)
  const isRequestComing = useItsRequest(known?.report ?? null, known?.visit !== null)
  useTheirRequests(others.flatMap(({ report, visit }) => (visit ? [] : report)))
  // The form stays open while further visits are read. Offline it opens with the visits on the device.
  const isOpen = useOpened(typeof main !== 'string' && !areReportsComing && !isRequestComing)
  if (typeof main === 'string') return <RequestFormAbsent title={t`退館報告登録`} state={main} />
  if (!isOpen) return <RequestFormAbsent title={t`退館報告登録`} state="loading" />
  return <ExitForm main={main} others={others} missing={missing} />
}

/** Checks on opening and on saving if the exit may be registered. An answer of the CRM in between changes nothing. */
function ExitForm({ main, others, missing }: Reported & { main: ReportedVisit }) {
  const { t, i18n } = useLingui()
  const now = useNow()
  const leave = useLeaveReport()
  // The key is computed only once, because a change of the visits would change the key and lose the draft.
  const [draftKey] = useState(() => exitDraftKey([main, ...others].map(({ record }) => record.key)))
  const [unsent] = useState(() => unsentContent(main.record))
  useMissingFlash(missing)
  const { report } = main
  const { requestId: id, workingDate } = report
  const bar = whyBarred(main, others, useToday())
  const go = () => {
    if (bar === 'ec00029') return leave.toList()
    return bar === 'ec00011' ? leave.toReport(report) : leave.toRequest(report)
  }
  return (
    <ReportForm
      action="add"
      title={t`退館報告登録`}
      back={<BackLink to="/request/$id" params={{ id }} search={{ workingDate }} />}
      reported={main}
      record={main.record}
      initial={inputOf(quickReport, unsent)}
      draft={{ key: draftKey }}
      bar={bar && { text: messageText(i18n, bar), go }}
      times={
        <>
          {others.length > 0 && <OtherRequests all={[main, ...others]} />}
          <ClockWarning />
          <ExitTimes reported={main} savedExit={unsent?.outTime ?? null} />
        </>
      }
      write={(input) => {
        const content = contentOf(input, unsent?.outTime ?? toTokyoIso(now()))
        const records = [main, ...others].map(({ record }) => record)
        return (saver) => saveReport(saver, records, 'exit', content)
      }}
    />
  )
}

function useMissingFlash(missing: readonly string[]) {
  const { t } = useLingui()
  const { flash } = useServices()
  const ids = missing.join('、')
  useEffect(() => {
    if (ids === '') return
    flash.show('warning', t`見つからない報告があります（${ids}）。見つかった報告だけを登録します。`)
  }, [ids, flash, t])
}

function OtherRequests({ all }: { all: readonly ReportedVisit[] }) {
  const { t } = useLingui()
  const today = useToday()
  const count = all.length
  return (
    <section aria-label={t`まとめて登録する依頼`}>
      <p className="strong">{t`${count}件の依頼をまとめて登録します`}</p>
      <Brief>
        {all.map(({ record, report, visit }) => {
          const entered = timeOn(report.inTime, report.workingDate, today)
          return (
            <BriefItem key={record.key} label={visit?.request.requestCode ?? record.requestId}>
              {visit?.request.locationName} <span className="num">{t`入館 ${entered}`}</span>
            </BriefItem>
          )
        })}
      </Brief>
    </section>
  )
}
