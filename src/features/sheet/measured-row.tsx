import { useLingui } from '@lingui/react/macro'
import { ClipboardList, OctagonAlert } from 'lucide-react'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useToday } from '#data/context/use-now.ts'
import { timeOn } from '#lib/time/tokyo-time.ts'
import { PathIcon } from '#ui/controls/links.tsx'
import { gasSheet, measuredIn } from './gas-sheet.ts'
import { useStoredSheet } from './use-sheet.ts'

/**
 * A row with the visit's measurement: the lowest oxygen and the highest hydrogen sulphide. Nothing is rendered if the
 * device has no 酸素・硫化水素濃度測定記録 of the visit.
 */
export function MeasuredRow({ request, path }: { request: RequestRecord; path: string }) {
  const { t } = useLingui()
  const today = useToday()
  const { id: requestId, workingDate } = request
  const sheet = useStoredSheet(gasSheet, { requestId, workingDate }) ?? { fields: {}, rows: [] }
  const { oxygen, sulfide, times } = measuredIn(sheet)
  if (oxygen.length + sulfide.length === 0) return null
  const [from, to] = [times[0], times.at(-1)].map((at = '') => timeOn(at, workingDate, today))
  const [lowest, highest, points] = [Math.min(...oxygen), Math.max(...sulfide), times.length]
  const texts = [
    from === to ? from : `${from}〜${to}`,
    oxygen.length > 0 && t`酸素 ${lowest}%`,
    sulfide.length > 0 && t`硫化水素 ${highest}ppm`,
  ]
  // Non-breaking spaces keep each value on one line with its name.
  const text = texts.flatMap((each) => (each ? [each.replaceAll(' ', '\u00A0')] : [])).join(' ')
  const danger = gasSheet.stopsIn(sheet).length > 0
  return (
    <li>
      <PathIcon path={path} icon={danger ? OctagonAlert : ClipboardList} danger={danger}>
        <span>{t`測定 ${text}（${points}点）`}</span>
      </PathIcon>
    </li>
  )
}
