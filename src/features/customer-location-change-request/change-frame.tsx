import type { ReactNode } from 'react'
import type { RequestRecord } from '#schemas/request.ts'
import { useServices } from '#data/app-context.tsx'
import { goodsFacts, requestFacts, requestHead } from '#data/request-facts.ts'
import { BackLink } from '#ui/app-bar.tsx'
import { NotOnDevice } from '#ui/not-on-device.tsx'
import { RequestBoard } from '#ui/request-board.tsx'
import { RequestGlance } from '#ui/request-sheet.tsx'
import { ViewSkeleton } from '#ui/skeleton.tsx'
import { useStuck } from '#ui/use-stuck.ts'

interface ChangeFrameProps {
  title: string
  back: ReactNode
  /** null: the request itself is not on the device, then there is no board */
  request: RequestRecord | null
  footer?: ReactNode
  children: ReactNode
}

/** The frame of the three screens of a change request: its request on the board, and 依頼詳細を見る. */
export function ChangeFrame({ title, back, request, footer, children }: ChangeFrameProps) {
  const { Frame } = useServices()
  const { ref, stuck } = useStuck()
  return (
    <Frame
      title={title}
      long
      back={back}
      sub={request?.locationName}
      stuck={stuck}
      board={request && <RequestBoard ref={ref} head={requestHead(request)} compact />}
      footer={footer}
    >
      {request && <RequestGlance facts={requestFacts(request)} goods={goodsFacts(request)} />}
      {children}
    </Frame>
  )
}

/** While the device is read, or when it does not have what the address names. */
export function ChangeAbsent({ title, loading }: { title: string; loading: boolean }) {
  const { Frame } = useServices()
  return (
    <Frame title={title} long back={<BackLink to="/request" />} center={!loading}>
      {loading ? <ViewSkeleton /> : <NotOnDevice />}
    </Frame>
  )
}
