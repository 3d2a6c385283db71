/** The form 入館登録. The time is validated on submit against the current time. */
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useMinute, useNow } from '#data/context/use-now.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { momentText, tokyoToday } from '#lib/time/tokyo-time.ts'
import { spanOf } from '#lib/time/working-day.ts'
import { entryTime, modeNow, startOfEntry, type EntryMode, type EntryTimeInput } from './entry-time.ts'

/** A valid entry that the user has not confirmed yet. */
export interface EntryToConfirm {
  mode: EntryMode
  /** ISO 8601 */
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

export type EntryForm = ReturnType<typeof useEntryForm>

export function useTimeRule(workingDate: string) {
  const { t } = useLingui()
  const timeNow = useNow()
  const today = tokyoToday(useMinute())
  const span = spanOf(workingDate)
  const [from, to] = [momentText(span.from, today), momentText(span.to, today)]
  return {
    onChangeListenTo: ['mode' as const, 'date' as const],
    onDynamic: ({ fieldApi }: { fieldApi: { form: { state: { values: EntryTimeInput } } } }) => {
      switch (entryTime(fieldApi.form.state.values, workingDate, timeNow()).kind) {
        case 'required':
          return 'ec00001'
        case 'future':
          return t`入館時刻に未来の時刻は指定できません`
        case 'outside':
          return t`入館時刻は${from}から${to}までの時刻を指定してください`
        case 'ok':
          return undefined
      }
    },
  }
}
