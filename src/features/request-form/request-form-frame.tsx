import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { ClipboardList } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useServices } from '#data/context/app-context.tsx'
import { type RecordAbsence, useDetailAbsence } from '#data/context/use-fetched-record.ts'
import { goodsFacts, requestFacts, requestHead } from '#data/visits/request-facts.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { RequestBoard, BoardSkeleton, useStuck } from '#ui/request/request-board.tsx'
import { GoodsTables, RequestDefs } from '#ui/request/request-facts.tsx'
import { SubBar } from '#ui/controls/filter-bar.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { Popup, useOpenPopup } from '#ui/popup/use-popup.ts'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { useMissingTexts, NotHere } from './list-load-state.tsx'

interface RequestFormFrameProps {
  title: string
  back: ReactNode
  /** Null if the request is not on the device. The panel with its facts is then omitted. */
  request: RequestRecord | null
  /** True while the request is being read. A skeleton then replaces the panel with its facts. */
  reading?: boolean
  footer?: ReactNode
  children: ReactNode
}

/** Long titles such as 入館・駐車場情報変更依頼登録 may break before 変更依頼. */
const LINES = /(?=変更依頼)/

function titleProps(title: string) {
  const lines = title.split(LINES)
  const heading = lines.map((line) => (
    <Fragment key={line}>
      {line !== lines[0] && <wbr />}
      {line}
    </Fragment>
  ))
  return { title, heading, long: lines.length > 1 }
}

/** The frame of a request's forms and records: the request's facts, the button 依頼詳細を見る, then the children. */
export function RequestFormFrame(props: RequestFormFrameProps) {
  const { title, back, request, reading, footer, children } = props
  const { Frame } = useServices()
  const { ref, stuck } = useStuck()
  return (
    <Frame
      {...titleProps(title)}
      back={back}
      sub={request?.locationName}
      stuck={stuck}
      board={
        request ? (
          <RequestBoard ref={ref} head={requestHead(request)} compact />
        ) : (
          reading && <BoardSkeleton compact />
        )
      }
      footer={footer}
    >
      {request && <Glance request={request} />}
      {children}
    </Frame>
  )
}

/** The row 依頼詳細を見る below the board, and the popup 依頼詳細 that it opens. */
function Glance({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const open = useOpenPopup('request')
  const absence = useDetailAbsence(request)
  const missing = useMissingTexts()[absence ?? 'reading']
  const goods = goodsFacts(request)
  return (
    <>
      <SubBar icon={ClipboardList} onClick={open}>{t`依頼詳細を見る`}</SubBar>
      <Popup name="request">
        {(close) => (
          <Sheet heading={t`依頼詳細`} onClose={close}>
            <RequestDefs facts={requestFacts(request)} />
            {goods ? <GoodsTables goods={goods} /> : <p>{t`商品：${missing}`}</p>}
          </Sheet>
        )}
      </Popup>
    </>
  )
}

/** Replaces a form or record that is being read or cannot be read. Leads to not-found if the record does not exist. */
export function RequestFormAbsent({ title, state }: { title: string; state: RecordAbsence }) {
  const { Frame } = useServices()
  if (state === 'missing') return <Navigate to="/not-found" replace />
  const loading = state === 'loading'
  return (
    <Frame
      {...titleProps(title)}
      back={<BackLink to="/request" />}
      board={loading && <BoardSkeleton compact />}
      center={!loading}
    >
      {loading ? <ViewSkeleton /> : <NotHere />}
    </Frame>
  )
}
