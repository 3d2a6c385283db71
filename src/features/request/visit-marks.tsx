import { useLingui } from '@lingui/react/macro'
import { DoorOpen, HardDriveDownload, LogIn } from 'lucide-react'
import type { VisitRow } from '#data/visits.ts'
import { timeText } from '#lib/tokyo-time.ts'
import { Mark } from '#ui/mark.tsx'
import { SendState } from '#ui/send-state.tsx'

/** 入館 08:56, or 入館 07:28・退館 08:21; nothing before the entry. */
export function TimesMark({ visit: { report, state } }: { visit: VisitRow }) {
  const { t } = useLingui()
  const entered = timeText(report?.inTime ?? null)
  const left = timeText(report?.outTime ?? null)
  switch (state) {
    case 'none':
      return null
    case 'in':
      return <Mark icon={LogIn} tone="in" num>{t`入館 ${entered}`}</Mark>
    case 'out':
      return (
        <Mark icon={DoorOpen} num>
          {entered ? t`入館 ${entered}・退館 ${left}` : t`退館 ${left}`}
        </Mark>
      )
  }
}

/** What a row says below place and customer: times, sending state, whether it works offline. The state is the report's own (sync RULES ST1). */
export function VisitMarks({ visit }: { visit: VisitRow }) {
  const { t } = useLingui()
  const { report, usableOffline } = visit
  const unsent = report?.unsent
  const counted = unsent && (unsent.state === 'failed' || unsent.state === 'expired' || unsent.count > 1)
  return (
    <>
      <TimesMark visit={visit} />
      {unsent && <SendState state={unsent.state} count={counted ? unsent.count : undefined} />}
      {usableOffline && <Mark icon={HardDriveDownload}>{t`オフラインで使えます`}</Mark>}
    </>
  )
}
