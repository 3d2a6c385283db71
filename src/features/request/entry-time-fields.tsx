import { useLingui } from '@lingui/react/macro'
import { fieldMessage } from '#messages/field-message.ts'
import { useMinute } from '#data/use-now.ts'
import { fullDayText, timeText, toTokyoIso } from '#lib/tokyo-time.ts'
import { RadioGroup } from '#ui/choice.tsx'
import { Field } from '#ui/field.tsx'
import { TimeInput } from '#ui/input.tsx'
import { mayUseNow, type EntryMode } from './entry-time.ts'

interface EntryModeFieldProps {
  value: EntryMode
  onChange: (mode: EntryMode) => void
  workingDate: string
}

/** 現在時刻 / 時刻を指定. On another day than the working day only a time can be given. */
export function EntryModeField({ value, onChange, workingDate }: EntryModeFieldProps) {
  const { t } = useLingui()
  const disabled = !mayUseNow(workingDate, useMinute())
  return (
    <RadioGroup
      legend={t`入館時刻の決め方`}
      hideLegend
      cols={2}
      help={disabled ? t`今日は作業日ではないため、時刻を指定してください。` : undefined}
      options={[
        { value: 'now', label: t`現在時刻`, disabled },
        { value: 'given', label: t`時刻を指定` },
      ]}
      value={value}
      onChange={onChange}
    />
  )
}

interface EntryTimeFieldProps {
  mode: EntryMode
  value: string
  errors: readonly unknown[]
  onChange: (time: string) => void
  workingDate: string
}

/** 入館時刻: typed, or the clock while 現在時刻 is chosen. */
export function EntryTimeField({ mode, value, errors, onChange, workingDate }: EntryTimeFieldProps) {
  const { t, i18n } = useLingui()
  const now = timeText(toTokyoIso(useMinute()))
  const label = t`入館時刻`
  const day = fullDayText(workingDate)
  const isGiven = mode === 'given'
  return (
    <Field
      label={label}
      required={isGiven}
      help={t`作業日 ${day}`}
      error={isGiven ? fieldMessage(i18n, errors, label) : undefined}
    >
      <TimeInput
        value={isGiven ? value : now}
        readOnly={!isGiven}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}
