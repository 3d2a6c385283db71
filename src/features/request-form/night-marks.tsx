import { useLingui } from '@lingui/react/macro'
import { Moon, TriangleAlert } from 'lucide-react'
import { isFromYesterday, isStillInside } from '#data/overnight.ts'
import { useMinute } from '#data/use-now.ts'
import type { VisitRow } from '#data/visits.ts'
import { timeOn, tokyoToday } from '#lib/time/tokyo-time.ts'
import { Pad } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'

interface NightProps {
  visit: Pick<VisitRow, 'state'> & { request: Pick<VisitRow['request'], 'workingDate' | 'workingEndTime'> }
}

/** 退館していません, 昨日から: what the clock makes of a visit that is not over, as a row shows it. */
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

/** The same at the head of a screen, with the time by which the work should have been over. */
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
