import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { LOAD_MORE_SIZE, SCROLL_TRIGGER_PX } from '#schemas/limits.ts'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import { useOnline, useServices } from '#data/context/app-context.tsx'
import { useBackOr } from '#data/context/use-leave-form.ts'
import { BackButton } from '#ui/layout/app-bar.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { ListEnd } from '#ui/layout/layout.tsx'
import { NearEnd } from '#ui/feedback/near-end.tsx'
import { PastList } from '#ui/request/past.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { Summary } from '#ui/layout/summary.tsx'
import { PastReportItem } from './past-report-item.tsx'
import { useMachine, usePastReports } from './use-past-reports.ts'
import { RetryRow, ListLoadScreen } from '#features/request-form/list-load-state.tsx'

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
      {machine === undefined && <ViewSkeleton />}
      {machine !== undefined && (
        <Summary title={machine?.model ?? t`機器の過去報告`}>{machine?.place}</Summary>
      )}
      {machine !== undefined && reports && reports.length > 0 && (
        <Reports {...coming} reports={reports} onEnd={askMore} onRetry={retry} />
      )}
      {machine !== undefined && loadState.state !== 'rows' && (
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
    </Frame>
  )
}

interface ReportsProps {
  reports: readonly PastReportRecord[]
  isWhole: boolean
  isComing: boolean
  hasFailed: boolean
  onEnd: () => void
  /** Retries the failed read. */
  onRetry: () => void
}

/** Shows 20 more whenever the end comes near, first from the device, then from the CRM. */
function Reports({ reports, isWhole, isComing, hasFailed, onEnd, onRetry }: ReportsProps) {
  const { t } = useLingui()
  const online = useOnline()
  const [most, setMost] = useState(LOAD_MORE_SIZE)
  const hasMore = reports.length > most
  const isFurther = !hasMore && !isWhole && online && !isComing && !hasFailed
  const nextPage = () => {
    setMost(most + LOAD_MORE_SIZE)
    if (!hasMore) onEnd()
  }
  return (
    <NearEnd
      px={SCROLL_TRIGGER_PX}
      shown={Math.min(most, reports.length)}
      onNear={hasMore || isFurther ? nextPage : undefined}
    >
      <PastList>
        {reports.slice(0, most).map((report) => (
          <PastReportItem key={report.key} report={report} />
        ))}
      </PastList>
      <ListEnd loading={hasMore || isFurther || (isComing && !isWhole)}>
        {isWhole && t`これより前の報告はありません`}
        {!isWhole && (hasFailed ? t`続きを読み込めませんでした` : t`続きは電波の届く場所で表示されます`)}
      </ListEnd>
      {!isWhole && hasFailed && <RetryRow onRetry={onRetry} />}
    </NearEnd>
  )
}

/** Goes back to the request. */
function Back() {
  const navigate = useNavigate()
  const backOr = useBackOr()
  return <BackButton onClick={() => void backOr(() => navigate({ to: '/request', search: {} }))} />
}
