import { useLingui } from '@lingui/react/macro'
import type { Ref } from 'react'
import { Board } from './board.tsx'
import { EmergencyTag, OrderFlagTag, type OrderFlagTone } from '#ui/feedback/tag.tsx'

interface RequestHeadFacts {
  /** 09:00, or '' where the request has no time */
  start: string
  end: string
  order: { tone: OrderFlagTone; label: string } | null
  emergency: boolean
  place: string
  code: string
}

interface RequestBoardProps {
  head: RequestHeadFacts
  /** 11月20日（金）; not on the compact board. */
  date?: string | undefined
  /** On every request screen but 依頼詳細. */
  compact?: boolean | undefined
  /** The h1 of the wide layout. */
  title?: string | undefined
  /** From useStuck. */
  ref?: Ref<HTMLElement> | undefined
}

/** The board that heads every screen of a request. */
export function RequestBoard({ head, ...look }: RequestBoardProps) {
  const { t } = useLingui()
  const { start, end, place, code } = head
  return (
    <Board
      {...look}
      start={start || t`時刻未定`}
      end={end || undefined}
      tags={<RequestTags {...head} />}
      place={place}
      code={code}
    />
  )
}

/** The badges of a request: 種別, and 緊出 when it is one. */
export function RequestTags({ order, emergency }: Pick<RequestHeadFacts, 'order' | 'emergency'>) {
  return (
    <>
      {order && <OrderFlagTag tone={order.tone}>{order.label}</OrderFlagTag>}
      {emergency && <EmergencyTag />}
    </>
  )
}
