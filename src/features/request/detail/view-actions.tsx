import { useLingui } from '@lingui/react/macro'
import { ClipboardCheck, LogIn, Shield, ShieldCheck, ShieldOff, Siren } from 'lucide-react'
import { SafetyStatus } from '#schemas/codes.ts'
import { useRecordsKnown } from '#data/resources/records-of-request.ts'
import { useToday } from '#data/context/use-now.ts'
import { useOffered } from '#data/context/use-offline-policy.ts'
import type { Visit } from '#data/visits/visits.ts'
import { timeOn } from '#lib/time/tokyo-time.ts'
import { shownLabel } from '#lib/language.ts'
import { ActionBar, ActionButton, ActionLink } from '#ui/controls/action-bar.tsx'
import { PathAction } from '#ui/controls/path-row.tsx'
import { useOpenPopup } from '#ui/popup/use-popup.ts'
import { safetySelectPath } from './safety-measure-rows.ts'
import { useSafetyStatus } from './use-safety-measure-status.ts'
import { mostUrgent } from '#data/outbox/outbox.ts'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'

/** The action bar of 依頼詳細: 安全対策, 入館登録 or 退館報告, 緊急報告. */
export function ViewActions({ visit }: { visit: Visit }) {
  const { t } = useLingui()
  const { request } = visit
  const { id, workingDate } = request
  const { status, unsent } = useSafetyStatus(request)
  const words = useSendStateWords()
  const day = new URLSearchParams({ workingDate })
  const emergencies = useEmergencyCount(id)
  return (
    <ActionBar label={t`報告`}>
      <PathAction
        path={safetySelectPath(request)}
        icon={safetyIcon(status)}
        isFaded={isIncomplete(status)}
        label={t`安全対策`}
        sub={
          [status !== null && shownLabel(SafetyStatus.label(status)), unsent && words[unsent]]
            .filter(Boolean)
            .join(' ') || undefined
        }
      />
      <QuickReportAction visit={visit} />
      <PathAction
        path={`/emergencyReport/${encodeURIComponent(id)}?${day.toString()}`}
        icon={Siren}
        label={t`緊急報告`}
        sub={emergencies}
        tone="danger"
      />
    </ActionBar>
  )
}

/** Returns the number of registered 緊急報告 and the send state of unsent ones as text; undefined if there are none. */
function useEmergencyCount(requestId: string): string | undefined {
  const { t } = useLingui()
  const words = useSendStateWords()
  const { records: reports = [], isRead } = useRecordsKnown('emergencyReports', requestId)
  const count = reports.filter(({ registered }) => registered).length
  const unsent = mostUrgent(reports.flatMap(({ unsent: state }) => (state ? [{ state }] : [])))
  const texts = [
    count > 0 && (isRead ? t`${count}件` : t`${count}件以上`),
    unsent && words[unsent.state],
  ].filter(Boolean)
  return texts.length > 0 ? texts.join(' ') : undefined
}

const { unnecessary, unregistered, partly } = SafetyStatus.code
/** True if a required measure is missing, or if the device does not know. The icon of 安全対策 is then faded (spec 4). */
const isIncomplete = (status: string | null) =>
  status === null || status === unregistered || status === partly

function safetyIcon(status: string | null) {
  if (status === unnecessary) return ShieldOff
  return isIncomplete(status) ? Shield : ShieldCheck
}

/** The button 入館登録; after the entry, 退館報告. Its second line shows the time and the send state. */
function QuickReportAction({ visit: { request, report, state } }: { visit: Visit }) {
  const { t } = useLingui()
  const openEntry = useOpenPopup('entry')
  const words = useSendStateWords()
  const sendState = report?.unsent ? ` ${words[report.unsent.state]}` : ''
  const today = useToday()
  const entered = timeOn(report?.inTime ?? null, request.workingDate, today)
  const left = timeOn(report?.outTime ?? null, request.workingDate, today)
  const offered = useOffered('quickReport', 'add')
  if (!report || state === 'none')
    return (
      <ActionButton
        icon={LogIn}
        label={t`入館登録`}
        sub={`${t`未入館`}${sendState}`}
        tone="main"
        aria-haspopup="dialog"
        onClick={openEntry}
      />
    )
  const link = { icon: ClipboardCheck, label: t`退館報告`, tone: 'main' as const }
  if (state === 'in')
    return (
      offered && (
        <ActionLink
          {...link}
          to="/quickReport/add/$quickReportId"
          params={{ quickReportId: report.id }}
          search={{}}
          sub={`${t`入館 ${entered}`}${sendState}`}
        />
      )
    )
  return (
    <ActionLink
      {...link}
      to="/quickReport/$id"
      params={{ id: report.id }}
      sub={`${t`退館 ${left}`}${sendState}`}
    />
  )
}
