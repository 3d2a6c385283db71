import { useLingui } from '@lingui/react/macro'
import { ClockAlert } from 'lucide-react'
import { useMinute, useToday } from '#data/context/use-now.ts'
import type { ReportedVisit } from '#data/visits/visits.ts'
import { shortDayText, timeText, tokyoDay, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { isOtherDay } from '#lib/time/working-day.ts'
import { Mark } from '#ui/feedback/mark.tsx'
import styles from '#ui/request/times.module.css'
import { isBeforeEntry } from './rules.ts'
import type { SendState } from '#schemas/changes/change-queue.ts'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'

/** The entry time, and the exit time that the save will register. @param savedExit an unsent exit; null for now */
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

/** The registered 入館時刻 and 退館時刻, each with its send state. */
export function RecordedTimes({ reported }: { reported: ReportedVisit }) {
  const { t } = useLingui()
  const { outTime, outState } = reported.report
  const exit = useTimeFact(reported, outTime, outState)
  return <Times entry={useEntryFact(reported)} exit={{ label: t`退館時刻`, ...exit }} />
}

/** Returns the date of a time that is not on the working day; undefined on that day. Example: `11/21（土）`. */
function useOtherDay(iso: string | null, { report }: ReportedVisit): string | undefined {
  const today = useToday()
  return isOtherDay(iso, report.workingDate) ? shortDayText(tokyoDay(iso), today) : undefined
}

function useEntryFact(reported: ReportedVisit) {
  const { t } = useLingui()
  const { inTime, inState } = reported.report
  return { label: t`入館時刻`, ...useTimeFact(reported, inTime, inState) }
}

/** Returns a time with its send state; with 登録済 once the CRM has it (sync RULES ST1). */
function useTimeFact(reported: ReportedVisit, iso: string | null, state: SendState | null) {
  const { t } = useLingui()
  const words = useSendStateWords()
  const time = timeText(iso)
  const label = state ? words[state] : t`登録済`
  return { day: useOtherDay(iso, reported), value: time || t`未登録`, note: time ? label : undefined }
}

interface TimeFact {
  label: string
  day?: string | undefined
  value: string
  note?: string | undefined
}

/** 入館時刻 and 退館時刻 side by side, read-only. */
const Times = ({ entry, exit }: { entry: TimeFact; exit: TimeFact }) => (
  <dl className={styles.times}>
    {[entry, exit].map(({ label, day, value, note }) => (
      <div key={label}>
        <dt>
          {label}
          {day !== undefined && <span className="num"> {day}</span>}
        </dt>
        <dd className={`${styles.value} num`}>{value}</dd>
        {note !== undefined && <dd className={styles.note}>{note}</dd>}
      </div>
    ))}
  </dl>
)
