import { useLingui } from '@lingui/react/macro'
import { fieldMessage } from '#messages/messages.ts'
import { useMinute } from '#data/context/use-now.ts'
import { dayText, fullDayText, timeText, toTokyoIso, tokyoToday } from '#lib/time/tokyo-time.ts'
import { RadioGroup } from '#ui/controls/choice.tsx'
import { LabelledField } from '#ui/controls/field.tsx'
import { Select, TimeInput } from '#ui/controls/input.tsx'
import { entryDays, mayUseNow, type EntryMode } from './entry-time.ts'

interface EntryModeFieldProps {
  value: EntryMode
  onChange: (mode: EntryMode) => void
  workingDate: string
}

/** The choice 現在時刻 or 時刻を指定. 現在時刻 is disabled while an entry cannot be registered for the current time. */
export function EntryModeField({ value, onChange, workingDate }: EntryModeFieldProps) {
  const { t } = useLingui()
  const disabled = !mayUseNow(workingDate, useMinute())
  return (
    <RadioGroup
      legend={t`入館時刻の決め方`}
      hideLegend
      cols={2}
      help={disabled ? t`作業日の翌日12:00を過ぎたため、入館した時刻を指定してください。` : undefined}
      options={[
        { value: 'now', label: t`現在時刻`, disabled },
        { value: 'given', label: t`時刻を指定` },
      ]}
      value={value}
      onChange={onChange}
    />
  )
}

interface EntryDayFieldProps {
  value: string
  onChange: (date: string) => void
  workingDate: string
}

/** The field 入館日: the working day or an adjacent day on which an entry can be registered. */
export function EntryDayField({ value, onChange, workingDate }: EntryDayFieldProps) {
  const { t } = useLingui()
  const now = useMinute()
  const words = { before: t`作業日の前日`, working: t`作業日`, after: t`作業日の翌日` }
  return (
    <LabelledField label={t`入館日`} required>
      <Select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {entryDays(workingDate, now).map(({ date, relation }) => (
          <option key={date} value={date}>
            {`${dayText(date, tokyoToday(now))}　${words[relation]}`}
          </option>
        ))}
      </Select>
    </LabelledField>
  )
}

interface EntryTimeFieldProps {
  mode: EntryMode
  value: string
  errors: readonly unknown[]
  onChange: (time: string) => void
  workingDate: string
}

/** The field 入館時刻. With 現在時刻 it is read-only and shows the current time. */
export function EntryTimeField({ mode, value, errors, onChange, workingDate }: EntryTimeFieldProps) {
  const { t, i18n } = useLingui()
  const now = useMinute()
  const label = t`入館時刻`
  const isGiven = mode === 'given'
  const today = tokyoToday(now)
  const whole = fullDayText(workingDate)
  const nowDay = dayText(today, today)
  const workingDay = dayText(workingDate, today)
  const days =
    today === workingDate ? [t`作業日 ${whole}`] : [t`${nowDay}の時刻です。`, t`作業日は${workingDay}です。`]
  return (
    <LabelledField
      label={label}
      required={isGiven}
      help={
        isGiven
          ? undefined
          : days.map((text) => (
              <span key={text} className="nb">
                {text}
              </span>
            ))
      }
      error={isGiven ? fieldMessage(i18n, errors, label) : undefined}
    >
      <TimeInput
        value={isGiven ? value : timeText(toTokyoIso(now))}
        readOnly={!isGiven}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </LabelledField>
  )
}
