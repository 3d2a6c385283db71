/**
 * 入館登録 of one request, or 入館一括登録 of several. The user enters the time and confirms the facts to know before entering.
 *
 *     form ─登録→ ec00018 ─はい→ ec00019 ─はい→ ec00022 / ec00023 ─はい→ saved
 *       ↑           │いいえ       │いいえ          │いいえ
 *       └───────────┴─────────────┴────────────────┘
 */
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useMinute, useToday } from '#data/context/use-now.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import type { Visit } from '#data/visits/visits.ts'
import { ClockWarning } from '#features/request-form/notices.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { Brief, BriefItem } from '#ui/request/brief.tsx'
import { EntryConfirms } from './entry-confirms.tsx'
import { EntryFields, useEntryForm, type EntryToConfirm } from './entry-fields.tsx'
import { isTooEarly } from './entry-time.ts'
import { requestNames } from './shared-facts.ts'
import { SheetForm } from '#form/form-parts.tsx'
import { fullDayText, momentText } from '#lib/time/tokyo-time.ts'
import { spanOf } from '#lib/time/working-day.ts'
import { Sheet } from '#ui/popup/sheet.tsx'

interface EntrySheetProps {
  heading: string
  /** One visit, or several visits at one place on one day. None has an entry yet. */
  visits: readonly Visit[]
  onClose: () => void
  /** True before the save, false if it failed: tells the sheet's own entry from a colleague's. */
  onSaving?: (isSaving: boolean) => void
  onSaved: () => void
}

interface OfDay {
  workingDate: string
}

export function EntrySheet(props: EntrySheetProps) {
  const { heading, visits, onClose } = props
  const workingDate = visits[0]?.request.workingDate ?? ''
  if (isTooEarly(workingDate, useMinute()))
    return <EntryTooEarly heading={heading} workingDate={workingDate} onClose={onClose} />
  return <OpenEntrySheet {...props} workingDate={workingDate} />
}

function OpenEntrySheet(props: EntrySheetProps & OfDay) {
  const { heading, visits, onClose, onSaving, onSaved, workingDate } = props
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

/** Shown instead of the form while it is too early for an entry. It says when 入館登録 becomes possible. */
function EntryTooEarly({
  heading,
  workingDate,
  onClose,
}: Omit<EntrySheetProps, 'visits' | 'onSaved'> & OfDay) {
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
