import { useLingui } from '@lingui/react/macro'
import type { Ref } from 'react'
import { Board } from './board.tsx'
import { EmergencyTag, OrderFlagTag, type OrderFlagTone } from '#ui/feedback/tag.tsx'

interface RequestHeadFacts {
  /** Example: 09:00. Empty if the request has no time. */
  start: string
  end: string
  order: { tone: OrderFlagTone; label: string } | null
  emergency: boolean
  place: string
  code: string
}

interface RequestBoardProps {
  head: RequestHeadFacts
  /** Example: 11月20日（金）. Not shown on the compact board. */
  date?: string | undefined
  /** True on every request screen except 依頼詳細. */
  compact?: boolean | undefined
  /** The h1 of the wide layout. */
  title?: string | undefined
  /** The ref of useStuck. */
  ref?: Ref<HTMLElement> | undefined
}

/** The board at the top of every screen of a request. */
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

/** The badges of a request: 種別, and 緊出 if it is an emergency. */
export function RequestTags({ order, emergency }: Pick<RequestHeadFacts, 'order' | 'emergency'>) {
  return (
    <>
      {order && <OrderFlagTag tone={order.tone}>{order.label}</OrderFlagTag>}
      {emergency && <EmergencyTag />}
    </>
  )
}
