import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { RequestRecord } from '#schemas/request.ts'
import { useServices } from '#data/app-context.tsx'
import type { Gone } from '#data/use-asked-record.ts'
import { goodsFacts, requestFacts, requestHead } from '#data/request-facts.ts'
import { BackLink } from '#ui/app-bar.tsx'
import { NotOnDevice } from '#ui/not-on-device.tsx'
import { RequestBoard } from '#ui/request-board.tsx'
import { RequestGlance } from '#ui/request-sheet.tsx'
import { ViewSkeleton } from '#ui/skeleton.tsx'
import { useStuck } from '#ui/use-stuck.ts'

interface RequestFormFrameProps {
  title: string
  /** The title as it is drawn, where it takes two lines. */
  heading?: ReactNode
  back: ReactNode
  /** null: the request itself is not on the device, then there is no board */
  request: RequestRecord | null
  footer?: ReactNode
  children: ReactNode
}

/** The frame of a form of a request, and of the view of what it saved: the request on the board, and 依頼詳細を見る. */
export function RequestFormFrame({
  title,
  heading = title,
  back,
  request,
  footer,
  children,
}: RequestFormFrameProps) {
  const { Frame } = useServices()
  const { ref, stuck } = useStuck()
  return (
    <Frame
      title={title}
      heading={heading}
      long={heading !== title}
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

/** While what the address names is read or on its way, and when there is none (spec 8: 404) or none on the device. */
export function RequestFormAbsent({ title, state }: { title: string; state: Gone }) {
  const { Frame } = useServices()
  if (state === 'missing') return <Navigate to="/not-found" replace />
  const loading = state === 'loading'
  return (
    <Frame title={title} back={<BackLink to="/request" />} center={!loading}>
      {loading ? <ViewSkeleton /> : <NotOnDevice />}
    </Frame>
  )
}
