import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { LOAD_MORE_SIZE, SCROLL_TRIGGER_PX } from '#schemas/limits.ts'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import { useOnline, useServices } from '#data/context/app-context.tsx'
import { useBackOr } from '#data/context/use-leave-form.ts'
import { BackButton } from '#ui/layout/app-bar.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { ListEnd, Summary } from '#ui/layout/layout.tsx'
import { NearEnd } from '#ui/feedback/near-end.tsx'
import { PastList, Past, PastEmergency } from '#ui/request/past.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { useMachine, usePastReports } from './use-past-reports.ts'
import { RetryRow, ListLoadScreen } from '#features/request-form/list-load-state.tsx'
import { pastDayText, timeRange } from '#lib/time/tokyo-time.ts'
import { Brief, BriefItem } from '#ui/request/brief.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { usePopup } from '#ui/popup/use-popup.ts'

/** The screen 過去報告 of a machine. */
export function PastReportScreen({ deviceId }: { deviceId: string }) {
  const { t } = useLingui()
  const { Frame } = useServices()
  const machine = useMachine(deviceId)
  const { reports, loadState, retry, askMore, ...coming } = usePastReports(deviceId)
  return (
    <Frame
      title={t`過去報告`}
      back={<Back />}
      center={loadState.state === 'absent' || loadState.state === 'failed'}
    >
      {machine === undefined ? (
        <ViewSkeleton />
      ) : (
        <>
          <Summary title={machine?.model ?? t`機器の過去報告`}>{machine?.place}</Summary>
          {reports && reports.length > 0 && (
            <Reports {...coming} reports={reports} onEnd={askMore} onRetry={retry} />
          )}
          {loadState.state !== 'rows' && (
            <ListLoadScreen
              loadState={loadState}
              onRetry={retry}
              none={
                <Empty
                  art="search"
                  heading={t`過去報告はありません`}
                  advice={t`この機器で登録された報告はまだありません。`}
                />
              }
            />
          )}
        </>
      )}
    </Frame>
  )
}

interface ReportsProps {
  reports: readonly PastReportRecord[]
  isWhole: boolean
  isComing: boolean
  hasFailed: boolean
  onEnd: () => void
  onRetry: () => void
}

/** The list of past reports. Scrolling near the end adds 20 more reports, from the device or else from the CRM. */
function Reports({ reports, isWhole, isComing, hasFailed, onEnd, onRetry }: ReportsProps) {
  const { t } = useLingui()
  const online = useOnline()
  const [most, setMost] = useState(LOAD_MORE_SIZE)
  const hasMore = reports.length > most
  const canAskMore = !hasMore && !isWhole && online && !isComing && !hasFailed
  const nextPage = () => {
    setMost(most + LOAD_MORE_SIZE)
    if (!hasMore) onEnd()
  }
  return (
    <NearEnd
      px={SCROLL_TRIGGER_PX}
      shown={Math.min(most, reports.length)}
      onNear={hasMore || canAskMore ? nextPage : undefined}
    >
      <PastList>
        {reports.slice(0, most).map((report) => (
          <PastReportItem key={report.key} report={report} />
        ))}
      </PastList>
      <ListEnd loading={hasMore || canAskMore || (isComing && !isWhole)}>
        {isWhole && t`これより前の報告はありません`}
        {!isWhole && (hasFailed ? t`続きを読み込めませんでした` : t`続きは電波の届く場所で表示されます`)}
      </ListEnd>
      {!isWhole && hasFailed && <RetryRow onRetry={onRetry} />}
    </NearEnd>
  )
}

function Back() {
  const navigate = useNavigate()
  const backOr = useBackOr()
  return <BackButton onClick={() => void backOr(() => navigate({ to: '/request', search: {} }))} />
}

function PastReportItem({ report }: { report: PastReportRecord }) {
  const { t } = useLingui()
  const { workingDate, reportCatName, requestDetail, specialComment } = report
  const { start, end } = timeRange(report.workingStartTime, report.workingEndTime)
  const items = [
    { label: t`依頼内容`, value: requestDetail ?? '' },
    { label: t`特記事項`, value: specialComment ?? '' },
  ].filter(({ value }) => value !== '')
  return (
    <Past
      date={pastDayText(workingDate)}
      category={reportCatName ?? t`区分なし`}
      time={start || end ? `${start}〜${end}` : undefined}
      company={report.supplierName ?? undefined}
      person={report.supplierStaffName ?? undefined}
      items={items}
    >
      {report.emergencyReports.map((emergency, index) => {
        const name = `emergency-${report.id}-${index + 1}`
        return <EmergencyItem key={name} name={name} emergency={emergency} />
      })}
    </Past>
  )
}

interface EmergencyItemProps {
  name: string
  emergency: PastReportRecord['emergencyReports'][number]
}

/** The row of an 緊急報告 in a past report, and the popup 緊急報告詳細. */
function EmergencyItem({ name, emergency }: EmergencyItemProps) {
  const { t } = useLingui()
  const { isOpen, open, close } = usePopup(name)
  const rows = [
    { label: t`緊急内容`, value: emergency.emergencyContentsName },
    { label: t`リスク`, value: emergency.riskName },
    { label: t`対応日`, value: emergency.correspondenceDateName },
    { label: t`TTS担当者への連絡`, value: emergency.ttsStaffContactName },
    { label: t`緊急内容詳細`, value: emergency.emergencyContentsDetails },
  ]
  return (
    <>
      <PastEmergency note={emergency.emergencyContentsName ?? t`内容なし`} onClick={open} />
      {isOpen && (
        <Sheet heading={t`緊急報告詳細`} onClose={close}>
          <Brief>
            {rows.map(({ label, value }) => (
              <BriefItem key={label} label={label}>
                {value || t`なし`}
              </BriefItem>
            ))}
          </Brief>
        </Sheet>
      )}
    </>
  )
}
