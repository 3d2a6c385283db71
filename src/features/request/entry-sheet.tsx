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
import { useServices } from '#data/app-context.tsx'
import { saveEntry } from '#data/quick-report-changes.ts'
import type { Visit } from '#data/visits.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { useSave } from '#features/request-form/use-save.ts'
import { Brief, BriefItem } from '#ui/brief.tsx'
import { EntryConfirms } from './entry-confirms.tsx'
import { EntryModeField, EntryTimeField } from './entry-time-fields.tsx'
import { entryTime, startOfEntry, type EntryMode, type EntryTimeInput } from './entry-time.ts'
import { SheetForm } from './sheet-form.tsx'

const entryDraft = type({ mode: "'now' | 'given'", time: 'string' })

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

export function EntrySheet({ heading, visits, onClose, onSaving, onSaved }: EntrySheetProps) {
  const { t } = useLingui()
  const { clock } = useServices()
  const submit = useSave('quickReport', 'add')
  const [asked, setAsked] = useState<Asked | null>(null)
  const workingDate = visits[0]?.request.workingDate ?? ''
  const form = useDraftForm({
    schema: entryDraft,
    defaultValues: startOfEntry(workingDate, clock.now()),
    onSubmit: (draft) => {
      const time = entryTime(draft, workingDate, clock.now())
      if (time.kind === 'ok') setAsked({ mode: draft.mode, inTime: time.inTime })
    },
  })
  const mode = useStore(form.store, ({ values }) => values.mode)
  const timeRule = {
    onChangeListenTo: ['mode' as const],
    onDynamic: ({ fieldApi }: { fieldApi: { form: { state: { values: EntryTimeInput } } } }) => {
      const time = entryTime(fieldApi.form.state.values, workingDate, clock.now())
      if (time.kind === 'future') return t`入館時刻に未来の時刻は指定できません`
      return time.kind === 'required' ? 'ec00001' : undefined
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
        {visits.length > 1 && <Listed visits={visits} />}
        <form.AppField name="mode">
          {(field) => (
            <EntryModeField
              value={field.state.value}
              onChange={field.handleChange}
              workingDate={workingDate}
            />
          )}
        </form.AppField>
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

/** The requests that are registered together. */
function Listed({ visits }: { visits: readonly Visit[] }) {
  return (
    <Brief>
      {visits.map(({ request }) => (
        <BriefItem key={request.key} label={request.requestCode}>
          {request.locationName}
        </BriefItem>
      ))}
    </Brief>
  )
}
