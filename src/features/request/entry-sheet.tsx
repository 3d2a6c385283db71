/**
 * 入館登録 of one request, 入館一括登録 of several: the time, then what must be known before going in, then the save.
 *
 *     form ─登録→ ec00018 ─はい→ ec00019 ─はい→ ec00022 / ec00023 ─はい→ saved
 *       ↑           │いいえ       │いいえ          │いいえ
 *       └───────────┴─────────────┴────────────────┘
 */
import { useLingui } from '@lingui/react/macro'
import { useStore } from '@tanstack/react-form'
import { type } from 'arktype'
import { useState } from 'react'
import { useMinute, useNow } from '#data/use-now.ts'
import { saveEntry } from '#data/quick-report-changes.ts'
import type { Visit } from '#data/visits.ts'
import { momentText, tokyoToday } from '#lib/tokyo-time.ts'
import { spanOf } from '#lib/working-day.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { ClockWarning } from '#features/request-form/clock-warning.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { Brief, BriefItem } from '#ui/brief.tsx'
import { EntryConfirms } from './entry-confirms.tsx'
import { EntryDayField, EntryModeField, EntryTimeField } from './entry-time-fields.tsx'
import {
  entryTime,
  isTooEarly,
  modeNow,
  startOfEntry,
  type EntryMode,
  type EntryTimeInput,
} from './entry-time.ts'
import { EntryTooEarly } from './entry-too-early.tsx'
import { requestNames } from './shared-facts.ts'
import { SheetForm } from './sheet-form.tsx'

const entryDraft = type({ mode: "'now' | 'given'", date: 'string', time: 'string' })

interface Asked {
  mode: EntryMode
  inTime: string
}

interface EntrySheetProps {
  heading: string
  /** One, or several of one location and day; none of them entered. */
  visits: readonly Visit[]
  onClose: () => void
  /** Before the first record is written. */
  onSaving?: () => void
  onSaved: () => void
}

export function EntrySheet(props: EntrySheetProps) {
  const { heading, visits, onClose } = props
  const workingDate = visits[0]?.request.workingDate ?? ''
  if (isTooEarly(workingDate, useMinute()))
    return <EntryTooEarly heading={heading} workingDate={workingDate} onClose={onClose} />
  return <EntryForm {...props} workingDate={workingDate} />
}

function EntryForm({
  heading,
  visits,
  onClose,
  onSaving,
  onSaved,
  workingDate,
}: EntrySheetProps & { workingDate: string }) {
  const { t } = useLingui()
  const timeNow = useNow()
  const now = useMinute()
  const today = tokyoToday(now)
  const submit = useSave('quickReport', 'add')
  const [asked, setAsked] = useState<Asked | null>(null)
  const [defaultValues] = useState(() => startOfEntry(workingDate, timeNow()))
  const form = useDraftForm({
    schema: entryDraft,
    defaultValues,
    onSubmit: (draft) => {
      const at = timeNow()
      const time = entryTime(draft, workingDate, at)
      if (time.kind === 'ok') setAsked({ mode: modeNow(draft.mode, workingDate, at), inTime: time.inTime })
    },
  })
  const mode = modeNow(
    useStore(form.store, ({ values }) => values.mode),
    workingDate,
    now,
  )
  const span = spanOf(workingDate)
  const [from, to] = [momentText(span.from, today), momentText(span.to, today)]
  const timeRule = {
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
  const save = (inTime: string) =>
    submit({
      write(saver) {
        onSaving?.()
        const requests = visits.map(({ request }) => request)
        return saveEntry(saver, requests, inTime)
      },
      leave: onSaved,
    })
  return (
    <form.AppForm>
      <SheetForm
        heading={heading}
        onClose={onClose}
        footer={<form.SubmitButton tall wide>{t`登録`}</form.SubmitButton>}
      >
        <ClockWarning />
        {visits.length > 1 && <Listed visits={visits} />}
        <form.AppField name="mode">
          {(field) => <EntryModeField value={mode} onChange={field.handleChange} workingDate={workingDate} />}
        </form.AppField>
        {mode === 'given' && (
          <form.AppField name="date">
            {(field) => (
              <EntryDayField
                value={field.state.value}
                onChange={field.handleChange}
                workingDate={workingDate}
              />
            )}
          </form.AppField>
        )}
        <form.AppField name="time" validators={timeRule}>
          {(field) => (
            <EntryTimeField
              mode={mode}
              value={field.state.value}
              errors={field.state.meta.errors}
              onChange={field.handleChange}
              workingDate={workingDate}
            />
          )}
        </form.AppField>
      </SheetForm>
      {asked && (
        <EntryConfirms
          visits={visits}
          {...asked}
          onNo={() => setAsked(null)}
          onYes={() => save(asked.inTime)}
        />
      )}
    </form.AppForm>
  )
}

/** The requests that are registered together, told apart by time and kind. */
function Listed({ visits }: { visits: readonly Visit[] }) {
  const names = requestNames(visits.map(({ request }) => request))
  return (
    <Brief>
      {visits.map(({ request }, index) => (
        <BriefItem key={request.key} label={names[index] ?? ''}>
          {request.locationName} <span className="num">{request.requestCode}</span>
        </BriefItem>
      ))}
    </Brief>
  )
}
