import { useLingui } from '@lingui/react/macro'
import { useToday } from '#data/use-now.ts'
import { ClockWarning } from '#features/request-form/clock-warning.tsx'
import { fullDayText, momentText } from '#lib/tokyo-time.ts'
import { spanOf } from '#lib/working-day.ts'
import { Sheet } from '#ui/sheet.tsx'

interface EntryTooEarlyProps {
  heading: string
  workingDate: string
  onClose: () => void
}

/** In place of the form, while no time could be given: from when it can be done. */
export function EntryTooEarly({ heading, workingDate, onClose }: EntryTooEarlyProps) {
  const { t } = useLingui()
  const from = momentText(spanOf(workingDate).from, useToday())
  const day = fullDayText(workingDate)
  return (
    <Sheet heading={heading} onClose={onClose}>
      <ClockWarning />
      <p className="strong">{t`まだ入館登録できません。${from}から登録できます。`}</p>
      <p>{t`作業日 ${day}`}</p>
    </Sheet>
  )
}
