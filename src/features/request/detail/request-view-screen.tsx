import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useServices } from '#data/context/app-context.tsx'
import { useFreshDetail } from '#data/context/use-fetched-record.ts'
import { useDayOpened } from '#data/context/use-now.ts'
import { useVisitsOfRequest, shownVisit } from '#data/visits/use-visits.ts'
import { useHandover } from '#features/handover/use-handover.ts'
import { NotHere } from '#features/request-form/not-here.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { BoardSkeleton } from '#ui/request/request-board.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { RequestView } from './request-view.tsx'

interface RequestViewScreenProps {
  id: string
  workingDate: string | undefined
}

/** The screen 依頼詳細. It shows the request from the device, and reads it once from the CRM while online. */
export function RequestViewScreen({ id, workingDate }: RequestViewScreenProps) {
  const { t } = useLingui()
  const { Frame } = useServices()
  const today = useDayOpened(id)
  const days = useVisitsOfRequest(id)
  const { visit, invalidDate } = shownVisit(days ?? [], workingDate, today)
  const day = invalidDate ? undefined : workingDate
  const detailState = useFreshDetail(id, day ?? visit?.request.workingDate ?? '', days !== undefined)
  const handover = useHandover(visit?.request ?? null)
  const isAsking = detailState === 'asked'
  if (!visit && detailState === 'missing') return <Navigate to="/not-found" replace />
  // All sections appear together, because a section that appears later would push the sections below it down.
  if (visit && days && handover)
    return <RequestView visit={visit} days={days} handover={handover} invalidDate={invalidDate} />
  const loading = days === undefined || visit !== null || isAsking
  return (
    <Frame
      title={t`依頼詳細`}
      titleInBoard={loading}
      back={<BackLink to="/request" />}
      board={loading && <BoardSkeleton title={t`依頼詳細`} />}
      center={!loading}
    >
      {loading ? <ViewSkeleton /> : <NotHere />}
    </Frame>
  )
}
