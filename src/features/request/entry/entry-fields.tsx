import { useLingui } from '@lingui/react/macro'
import { useStore } from '@tanstack/react-form'
import { useState } from 'react'
import { fieldMessage } from '#messages/messages.ts'
import { useMinute, useNow } from '#data/context/use-now.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { dayText, fullDayText, momentText, timeText, tokyoToday, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { spanOf } from '#lib/time/working-day.ts'
import { RadioGroup } from '#ui/controls/choice.tsx'
import { LabelledField } from '#ui/controls/field.tsx'
import { Select, TimeInput } from '#ui/controls/input.tsx'
import {
  entryDays,
  entryTime,
  mayUseNow,
  modeNow,
  startOfEntry,
  type EntryMode,
  type EntryTimeInput,
} from './entry-time.ts'

export interface EntryToConfirm {
  mode: EntryMode
  inTime: string
}

export function useEntryForm(workingDate: string, onValid: (entry: EntryToConfirm) => void) {
  const timeNow = useNow()
  const [defaultValues] = useState(() => startOfEntry(workingDate, timeNow()))
  return useDraftForm({
    defaultValues,
    onSubmit: (draft) => {
      const submittedMs = timeNow()
      const time = entryTime(draft, workingDate, submittedMs)
      if (time.kind === 'ok')
        onValid({ mode: modeNow(draft.mode, workingDate, submittedMs), inTime: time.inTime })
    },
  })
}

interface EntryFieldsProps {
  form: ReturnType<typeof useEntryForm>
  workingDate: string
}

/** The fields: 現在時刻 or 時刻を指定, and for the latter the day and the time. */
export function EntryFields({ form, workingDate }: EntryFieldsProps) {
  const chosen = useStore(form.store, ({ values }) => values.mode)
  const mode = modeNow(chosen, workingDate, useMinute())
  return (
    <>
      <ModeField form={form} workingDate={workingDate} mode={mode} />
      {mode === 'given' && <DayField form={form} workingDate={workingDate} />}
      <TimeField form={form} workingDate={workingDate} mode={mode} />
    </>
  )
}

/** 現在時刻 is disabled while an entry cannot be registered for the current time. */
function ModeField({ form, workingDate, mode }: EntryFieldsProps & { mode: EntryMode }) {
  const { t } = useLingui()
  const disabled = !mayUseNow(workingDate, useMinute())
  return (
    <form.AppField name="mode">
      {(field) => (
        <RadioGroup
          legend={t`入館時刻の決め方`}
          hideLegend
          cols={2}
          help={disabled ? t`作業日の翌日12:00を過ぎたため、入館した時刻を指定してください。` : undefined}
          options={[
            { value: 'now', label: t`現在時刻`, disabled },
            { value: 'given', label: t`時刻を指定` },
          ]}
          value={mode}
          onChange={field.handleChange}
        />
      )}
    </form.AppField>
  )
}

/** The field 入館日: the working day or an adjacent day on which an entry can be registered. */
function DayField({ form, workingDate }: EntryFieldsProps) {
  const { t } = useLingui()
  const now = useMinute()
  const words = { before: t`作業日の前日`, working: t`作業日`, after: t`作業日の翌日` }
  return (
    <form.AppField name="date">
      {(field) => (
        <LabelledField label={t`入館日`} required>
          <Select
            value={field.state.value}
            onChange={(event) => field.handleChange(event.currentTarget.value)}
          >
            {entryDays(workingDate, now).map(({ date, relation }) => (
              <option key={date} value={date}>
                {`${dayText(date, tokyoToday(now))}　${words[relation]}`}
              </option>
            ))}
          </Select>
        </LabelledField>
      )}
    </form.AppField>
  )
}

/** The field 入館時刻. With 現在時刻 it is read-only and shows the current time. */
function TimeField({ form, workingDate, mode }: EntryFieldsProps & { mode: EntryMode }) {
  const { t, i18n } = useLingui()
  const now = useMinute()
  const timeRule = useTimeRule(workingDate)
  const label = t`入館時刻`
  const isGiven = mode === 'given'
  const today = tokyoToday(now)
  const [whole, nowDay, workingDay] = [
    fullDayText(workingDate),
    dayText(today, today),
    dayText(workingDate, today),
  ]
  const days =
    today === workingDate ? [t`作業日 ${whole}`] : [t`${nowDay}の時刻です。`, t`作業日は${workingDay}です。`]
  const help = days.map((text) => (
    <span key={text} className="nb">
      {text}
    </span>
  ))
  return (
    <form.AppField name="time" validators={timeRule}>
      {({ state: { value, meta }, handleChange }) => (
        <LabelledField
          label={label}
          required={isGiven}
          help={isGiven ? undefined : help}
          error={isGiven ? fieldMessage(i18n, meta.errors, label) : undefined}
        >
          <TimeInput
            value={isGiven ? value : timeText(toTokyoIso(now))}
            readOnly={!isGiven}
            onChange={(event) => handleChange(event.currentTarget.value)}
          />
        </LabelledField>
      )}
    </form.AppField>
  )
}

function useTimeRule(workingDate: string) {
  const { t } = useLingui()
  const timeNow = useNow()
  const today = tokyoToday(useMinute())
  const span = spanOf(workingDate)
  const [from, to] = [momentText(span.from, today), momentText(span.to, today)]
  const texts = {
    required: 'ec00001',
    future: t`入館時刻に未来の時刻は指定できません`,
    outside: t`入館時刻は${from}から${to}までの時刻を指定してください`,
    ok: undefined,
  }
  return {
    onChangeListenTo: ['mode' as const, 'date' as const],
    onDynamic: ({ fieldApi }: { fieldApi: { form: { state: { values: EntryTimeInput } } } }) =>
      texts[entryTime(fieldApi.form.state.values, workingDate, timeNow()).kind],
  }
}
