import type { ReactNode } from 'react'
import { useServices } from '#data/app-context.tsx'
import { requestHead } from '#data/request-facts.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { RequestBoard } from '#ui/request-board.tsx'
import { useStuck } from '#ui/use-stuck.ts'

interface NoteFrameProps {
  title: string
  back: ReactNode
  /** null: the request itself is not on the device, then there is no board */
  request: RequestRecord | null
  footer?: ReactNode
  children: ReactNode
}

/** The frame of the screens of 現場メモ: the request they were opened from on the board. */
export function NoteFrame({ request, children, ...frame }: NoteFrameProps) {
  const { Frame } = useServices()
  const { ref, stuck } = useStuck()
  return (
    <Frame
      {...frame}
      sub={request?.locationName}
      stuck={stuck}
      board={request && <RequestBoard ref={ref} head={requestHead(request)} compact />}
    >
      {children}
    </Frame>
  )
}
