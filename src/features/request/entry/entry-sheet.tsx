/**
 * 入館登録 of one request, or 入館一括登録 of several. The user enters the time and confirms the facts to know before entering.
 *
 *     form ─登録→ ec00018 ─はい→ ec00019 ─はい→ ec00022 / ec00023 ─はい→ saved
 *       ↑           │いいえ       │いいえ          │いいえ
 *       └───────────┴─────────────┴────────────────┘
 */
import { useLingui } from '@lingui/react/macro'
import { useStore } from '@tanstack/react-form'
import { useState } from 'react'
import { useMinute, useToday } from '#data/context/use-now.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import type { Visit } from '#data/visits/visits.ts'
import { ClockWarning } from '#features/request-form/clock-warning.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { Brief, BriefItem } from '#ui/request/brief.tsx'
import { EntryConfirms } from './entry-confirms.tsx'
import { EntryDayField, EntryModeField, EntryTimeField } from './entry-time-fields.tsx'
import { isTooEarly, modeNow } from './entry-time.ts'
import { requestNames } from './shared-facts.ts'
import { SheetForm } from './sheet-form.tsx'
import { useEntryForm, useTimeRule, type EntryToConfirm, type EntryForm } from './use-entry-form.ts'
import { fullDayText, momentText } from '#lib/time/tokyo-time.ts'
import { spanOf } from '#lib/time/working-day.ts'
import { Sheet } from '#ui/popup/sheet.tsx'

interface EntrySheetProps {
  heading: string
  /** One visit, or several visits at one place on one day. None has an entry yet. */
  visits: readonly Visit[]
  onClose: () => void
  /**
   * Called with true before the save, and with false if the save failed. The component that opened the sheet must know
   * if an entry comes from the sheet or from a colleague.
   */
  onSaving?: (isSaving: boolean) => void
  onSaved: () => void
}

export function EntrySheet(props: EntrySheetProps) {
  const { heading, visits, onClose } = props
  const workingDate = visits[0]?.request.workingDate ?? ''
  if (isTooEarly(workingDate, useMinute()))
    return <EntryTooEarly heading={heading} workingDate={workingDate} onClose={onClose} />
  return <OpenEntrySheet {...props} workingDate={workingDate} />
}

function OpenEntrySheet({
  heading,
  visits,
  onClose,
  onSaving,
  onSaved,
  workingDate,
}: EntrySheetProps & { workingDate: string }) {
  const { t } = useLingui()
  const submit = useSave('quickReport', 'add')
  const [toConfirm, setToConfirm] = useState<EntryToConfirm | null>(null)
  const form = useEntryForm(workingDate, setToConfirm)
  const save = (inTime: string) =>
    submit({
      write(saver) {
        onSaving?.(true)
        const requests = visits.map(({ request }) => request)
        return saveEntry(saver, requests, inTime).catch((error: unknown) => {
          onSaving?.(false)
          throw error
        })
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
        <EntryFields form={form} workingDate={workingDate} />
      </SheetForm>
      {toConfirm && (
        <EntryConfirms
          visits={visits}
          {...toConfirm}
          onNo={() => setToConfirm(null)}
          onYes={() => save(toConfirm.inTime)}
        />
      )}
    </form.AppForm>
  )
}

/** The fields: 現在時刻 or 時刻を指定, and for the latter the day and the time. */
function EntryFields({ form, workingDate }: { form: EntryForm; workingDate: string }) {
  const timeRule = useTimeRule(workingDate)
  const chosen = useStore(form.store, ({ values }) => values.mode)
  const mode = modeNow(chosen, workingDate, useMinute())
  return (
    <>
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
    </>
  )
}

/** The requests that are registered together, each with time and kind. */
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

interface EntryTooEarlyProps {
  heading: string
  workingDate: string
  onClose: () => void
}

/** Shown instead of the form while it is too early for an entry. It says when 入館登録 becomes possible. */
function EntryTooEarly({ heading, workingDate, onClose }: EntryTooEarlyProps) {
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
