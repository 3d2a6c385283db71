import { useLingui } from '@lingui/react/macro'
import { Moon, TriangleAlert } from 'lucide-react'
import { isFromYesterday, isStillInside, requestHead } from '#data/visits/request-facts.ts'
import { useMinute } from '#data/context/use-now.ts'
import type { VisitRow } from '#data/visits/visits.ts'
import { timeOn, tokyoToday } from '#lib/time/tokyo-time.ts'
import { Pad } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { RequestTags } from '#ui/request/request-board.tsx'

interface NightProps {
  visit: Pick<VisitRow, 'state'> & { request: Pick<VisitRow['request'], 'workingDate' | 'workingEndTime'> }
}

/** The marks 退館していません and 昨日から in the row of a visit that is past its planned end. */
export function NightMarks({ visit }: NightProps) {
  const { t } = useLingui()
  const now = useMinute()
  return (
    <>
      {isStillInside(visit, now) && <Mark icon={TriangleAlert} tone="warn">{t`退館していません`}</Mark>}
      {isFromYesterday(visit, now) && <Mark icon={Moon}>{t`昨日から`}</Mark>}
    </>
  )
}

/** The warning 退館していません at the top of a screen, with the planned end of the work. */
export function NightLine({ visit }: NightProps) {
  const { t } = useLingui()
  const now = useMinute()
  if (!isStillInside(visit, now)) return null
  const { workingDate, workingEndTime } = visit.request
  const end = timeOn(workingEndTime, workingDate, tokyoToday(now))
  return (
    <Pad>
      <Mark icon={TriangleAlert} tone="warn">
        {end === '' ? t`退館していません` : t`退館していません。作業の予定は${end}までです。`}
      </Mark>
    </Pad>
  )
}

/** Returns the properties of a visit's row that are the same in every list. */
export function useRowFacts({ request }: VisitRow) {
  const { t } = useLingui()
  const { start, end, code, place, order, emergency } = requestHead(request)
  return {
    start: start || t`時刻未定`,
    end: end || undefined,
    code,
    place,
    customer: request.customerName ?? undefined,
    tags: <RequestTags order={order} emergency={emergency} />,
  }
}
