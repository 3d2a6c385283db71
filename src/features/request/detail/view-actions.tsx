import { useLingui } from '@lingui/react/macro'
import { ClipboardCheck, LogIn, Shield, ShieldCheck, ShieldOff, Siren } from 'lucide-react'
import { SafetyStatus } from '#schemas/codes.ts'
import { useRecordsKnown } from '#data/resources/records-of-request.ts'
import { safetyStatus, useSafetyRows } from '#data/resources/safety-measures.ts'
import { useToday } from '#data/context/use-now.ts'
import { useOffered } from '#data/context/use-offline-policy.ts'
import type { Visit } from '#data/visits/visits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SendState } from '#schemas/changes/change-queue.ts'
import { timeOn } from '#lib/time/tokyo-time.ts'
import { shownLabel } from '#lib/language.ts'
import { ActionBar, ActionButton, ActionLink, PathAction } from '#ui/controls/action-bar.tsx'
import { useOpenPopup } from '#ui/popup/use-popup.ts'
import { safetySelectPath } from './safety-measure-section.tsx'
import { mostUrgent } from '#data/outbox/outbox.ts'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'

/** The action bar of 依頼詳細: 安全対策, 入館登録 or 退館報告, 緊急報告. */
export function ViewActions({ visit }: { visit: Visit }) {
  const { t } = useLingui()
  return (
    <ActionBar label={t`報告`}>
      <SafetyAction request={visit.request} />
      <QuickReportAction visit={visit} />
      <EmergencyAction request={visit.request} />
    </ActionBar>
  )
}

/** Returns a function that joins a text with the word of the most urgent send state; undefined if nothing is left. */
function useWithState() {
  const words = useSendStateWords()
  return (text: string | false | null, states: readonly (SendState | null | undefined)[]) => {
    const urgent = mostUrgent(states.flatMap((state) => (state ? [{ state }] : [])))
    return [text, urgent && words[urgent.state]].filter(Boolean).join(' ') || undefined
  }
}

const { unnecessary, unregistered, partly } = SafetyStatus.code

function SafetyAction({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const withState = useWithState()
  const rows = useSafetyRows(request) ?? []
  const status = safetyStatus(request, rows)
  // True if a required measure is missing, or if the device does not know. The icon is then faded (spec 4).
  const isIncomplete = status === null || status === unregistered || status === partly
  return (
    <PathAction
      path={safetySelectPath(request)}
      icon={status === unnecessary ? ShieldOff : isIncomplete ? Shield : ShieldCheck}
      isFaded={isIncomplete}
      label={t`安全対策`}
      sub={withState(
        status !== null && shownLabel(SafetyStatus.label(status)),
        rows.map(({ measure }) => measure?.unsent),
      )}
    />
  )
}

function EmergencyAction({ request: { id, workingDate } }: { request: RequestRecord }) {
  const { t } = useLingui()
  const withState = useWithState()
  const { records: reports = [], isRead } = useRecordsKnown('emergencyReports', id)
  const count = reports.filter(({ registered }) => registered).length
  return (
    <PathAction
      path={`/emergencyReport/${encodeURIComponent(id)}?${new URLSearchParams({ workingDate }).toString()}`}
      icon={Siren}
      label={t`緊急報告`}
      sub={withState(
        count > 0 && (isRead ? t`${count}件` : t`${count}件以上`),
        reports.map(({ unsent }) => unsent),
      )}
      tone="danger"
    />
  )
}

/** The button 入館登録; after the entry, 退館報告. Its second line shows the time and the send state. */
function QuickReportAction({ visit: { request, report, state } }: { visit: Visit }) {
  const { t } = useLingui()
  const openEntry = useOpenPopup('entry')
  const withState = useWithState()
  const today = useToday()
  const entered = timeOn(report?.inTime ?? null, request.workingDate, today)
  const left = timeOn(report?.outTime ?? null, request.workingDate, today)
  const offered = useOffered('quickReport', 'add')
  const sub = (text: string) => withState(text, [report?.unsent?.state])
  if (!report || state === 'none')
    return (
      <ActionButton
        icon={LogIn}
        label={t`入館登録`}
        sub={sub(t`未入館`)}
        tone="main"
        aria-haspopup="dialog"
        onClick={openEntry}
      />
    )
  const link = { icon: ClipboardCheck, label: t`退館報告`, tone: 'main' as const }
  if (state === 'out')
    return (
      <ActionLink {...link} to="/quickReport/$id" params={{ id: report.id }} sub={sub(t`退館 ${left}`)} />
    )
  return (
    offered && (
      <ActionLink
        {...link}
        to="/quickReport/add/$quickReportId"
        params={{ quickReportId: report.id }}
        search={{}}
        sub={sub(t`入館 ${entered}`)}
      />
    )
  )
}
