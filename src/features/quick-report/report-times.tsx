import { useLingui } from '@lingui/react/macro'
import { ClockAlert } from 'lucide-react'
import { useMinute, useToday } from '#data/context/use-now.ts'
import type { ReportedVisit } from '#data/visits/visits.ts'
import { shortDayText, timeText, tokyoDay, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { isOtherDay } from '#lib/time/working-day.ts'
import { Mark } from '#ui/feedback/mark.tsx'
import { Times } from '#ui/request/times.tsx'
import { isBeforeEntry } from './rules.ts'
import type { SendState } from '#schemas/changes/change-queue.ts'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'

/**
 * 入館時刻 as registered, and the current time as 退館時刻, which the save records.
 * @param savedExit the exit time of a save that did not reach the CRM; a correction does not change it
 */
export function ExitTimes({ reported, savedExit }: { reported: ReportedVisit; savedExit: string | null }) {
  const { t } = useLingui()
  const now = toTokyoIso(useMinute())
  const exit = savedExit
    ? { value: timeText(savedExit), note: t`保存した時刻のまま登録` }
    : { value: timeText(now), note: t`保存した時刻で登録` }
  const day = useOtherDay(savedExit ?? now, reported)
  return (
    <>
      <Times entry={useEntryFact(reported)} exit={{ label: t`退館時刻`, day, ...exit }} />
      {isBeforeEntry(savedExit ?? now, reported.report.inTime) && (
        <Mark icon={ClockAlert} tone="warn">
          {t`退館時刻が入館時刻より前です。端末の日時の設定と、入館時刻を確認してください。`}
        </Mark>
      )}
    </>
  )
}

/** Both times as registered; an edit does not change them. */
export function RecordedTimes({ reported }: { reported: ReportedVisit }) {
  const { t } = useLingui()
  const { report } = reported
  const exit = timeText(report.outTime)
  const day = useOtherDay(report.outTime, reported)
  const labelOf = useStateLabel()
  return (
    <Times
      entry={useEntryFact(reported)}
      exit={{
        label: t`退館時刻`,
        day,
        value: exit || t`未登録`,
        note: exit ? labelOf(report.outState) : undefined,
      }}
    />
  )
}

/** Returns the date of a time outside the working day. Example: `11/21（土）`. */
function useOtherDay(iso: string | null, { report }: ReportedVisit): string | undefined {
  const today = useToday()
  return isOtherDay(iso, report.workingDate) ? shortDayText(tokyoDay(iso), today) : undefined
}

function useEntryFact(reported: ReportedVisit) {
  const { t } = useLingui()
  const { report } = reported
  const day = useOtherDay(report.inTime, reported)
  const labelOf = useStateLabel()
  const time = timeText(report.inTime)
  return {
    label: t`入館時刻`,
    day,
    value: time || t`未登録`,
    note: time ? labelOf(report.inState) : undefined,
  }
}

/** Returns the label of a time: 登録済 only if the CRM has it (sync RULES ST1). */
function useStateLabel() {
  const { t } = useLingui()
  const words = useSendStateWords()
  return (state: SendState | null) => (state ? words[state] : t`登録済`)
}
