import type { ReactNode } from 'react'
import { useServices } from '#data/app-context.tsx'
import { goodsFacts, requestFacts, requestHead } from '#data/request-facts.ts'
import type { Visit } from '#data/visits.ts'
import { BackLink } from '#ui/app-bar.tsx'
import { Narrow } from '#ui/desk.tsx'
import { NotOnDevice } from '#ui/not-on-device.tsx'
import { RequestBoard } from '#ui/request-board.tsx'
import { RequestGlance } from '#ui/request-sheet.tsx'
import { ViewSkeleton } from '#ui/skeleton.tsx'
import { useStuck } from '#ui/use-stuck.ts'

interface SafetyFrameProps {
  title: string
  back: ReactNode
  /** null: the request itself is not on the device, then there is no board */
  visit: Visit | null
  footer?: ReactNode
  children: ReactNode
}

/** The frame of the screens of 安全対策: the request on the board, and 依頼詳細を見る. */
export function SafetyFrame({ title, back, visit, footer, children }: SafetyFrameProps) {
  const { Frame } = useServices()
  const { ref, stuck } = useStuck()
  const request = visit?.request
  return (
    <Frame
      title={title}
      back={back}
      sub={request?.locationName}
      stuck={stuck}
      board={request && <RequestBoard ref={ref} head={requestHead(request)} compact />}
      footer={footer}
    >
      {request && <RequestGlance facts={requestFacts(request)} goods={goodsFacts(request)} />}
      <Narrow>{children}</Narrow>
    </Frame>
  )
}

/** While the device is read, or when it does not have what the screen is about. */
export function SafetyAbsent({ title, loading }: { title: string; loading: boolean }) {
  const { Frame } = useServices()
  return (
    <Frame title={title} back={<BackLink to="/request" />} center={!loading}>
      {loading ? <ViewSkeleton /> : <NotOnDevice />}
    </Frame>
  )
}
