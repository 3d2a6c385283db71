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
import { ClockWarning, UnsavedNotice } from '#features/request-form/notices.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { Brief, BriefItem } from '#ui/request/brief.tsx'
import { EntryFields, useEntryForm, type EntryToConfirm } from './entry-fields.tsx'
import { isTooEarly, type EntryMode } from './entry-time.ts'
import { requestNames, sharedFacts } from './shared-facts.ts'
import { SheetForm } from '#form/form-parts.tsx'
import { fullDayText, momentText, timeText } from '#lib/time/tokyo-time.ts'
import { spanOf, isOtherDay } from '#lib/time/working-day.ts'
import { Sheet } from '#ui/popup/sheet.tsx'
import { messageText } from '#messages/messages.ts'
import { requestFacts } from '#data/visits/request-facts.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'
import { PhoneLink } from '#ui/request/mini.tsx'
import { useRequestNotes } from '#data/resources/note-location-area-count.ts'

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

interface EntryConfirmsProps {
  visits: readonly Visit[]
  mode: EntryMode
  /** Time of the entry, ISO 8601. The last question contains it. */
  inTime: string
  onNo: () => void
  onYes: () => Promise<unknown>
}

/** The three questions before an entry, one after another: ec00018, ec00019, then ec00022 or ec00023. */
function EntryConfirms({ visits, mode, inTime, onNo, onYes }: EntryConfirmsProps) {
  const { i18n } = useLingui()
  const [step, setStep] = useState<'access' | 'cautions' | 'time'>('access')
  const [busy, setBusy] = useState(false)
  const today = useToday()
  const requests = visits.map(({ request }) => request)
  const isOther = requests.some(({ workingDate }) => isOtherDay(inTime, workingDate))
  const time = isOther ? momentText(inTime, today) : timeText(inTime)
  const save = () => {
    setBusy(true)
    void onYes().finally(() => setBusy(false))
  }
  if (step === 'time')
    return (
      <ConfirmSheet
        key={step}
        question={messageText(i18n, mode === 'now' ? 'ec00022' : 'ec00023', { time })}
        busy={busy}
        notice={<UnsavedNotice />}
        onYes={save}
        onNo={onNo}
      />
    )
  const isAccess = step === 'access'
  return (
    <ConfirmSheet
      key={step}
      question={messageText(i18n, isAccess ? 'ec00018' : 'ec00019')}
      onYes={() => setStep(isAccess ? 'cautions' : 'time')}
      onNo={onNo}
    >
      {isAccess ? <Access requests={requests} /> : <Cautions requests={requests} />}
    </ConfirmSheet>
  )
}

interface FactProps<T> {
  requests: readonly RequestRecord[]
  label: string
  valueOf: (request: RequestRecord) => T
}

/** Returns the distinct values, labelled with their requests. Example of a label: 入館方法（09:00〜10:30 保守）. */
function useSharedFacts<T>({ requests, label, valueOf }: FactProps<T>) {
  const { t } = useLingui()
  return sharedFacts(requests, valueOf).map(({ value, of }) => {
    const names = of.join(t`、`)
    return { value, label: names === '' ? label : t`${label}（${names}）` }
  })
}

function TextItems(props: FactProps<string | null>) {
  const { t } = useLingui()
  return useSharedFacts(props).map(({ label, value }) => (
    <BriefItem key={label} label={label}>
      {value || t`なし`}
    </BriefItem>
  ))
}

function ContactItems(props: FactProps<ReturnType<typeof requestFacts>['inContact']>) {
  const { t } = useLingui()
  return useSharedFacts(props).map(({ label, value: contact }) => (
    <BriefItem key={label} label={label} action={contact?.tel && <PhoneLink number={contact.tel} />}>
      {contact ? contact.name || t`名称なし` : t`なし`}
      {contact?.tel && (
        <>
          <br />
          <span className="num">{contact.tel}</span>
        </>
      )}
    </BriefItem>
  ))
}

function Access({ requests }: { requests: readonly RequestRecord[] }) {
  const { t } = useLingui()
  return (
    <Brief>
      <TextItems requests={requests} label={t`入館方法`} valueOf={(each) => requestFacts(each).inMethod} />
      <TextItems requests={requests} label={t`駐車場`} valueOf={(each) => requestFacts(each).parking} />
      <ContactItems
        requests={requests}
        label={t`入館連絡先`}
        valueOf={(each) => requestFacts(each).inContact}
      />
      <ContactItems
        requests={requests}
        label={t`退館連絡先`}
        valueOf={(each) => requestFacts(each).outContact}
      />
    </Brief>
  )
}

/** The number of 現場メモ of the place, as in the link on 依頼詳細. */
function NotesItem({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const { count } = useRequestNotes(request)
  return <BriefItem label={t`現場メモ`}>{t`${count}件`}</BriefItem>
}

function Cautions({ requests }: { requests: readonly RequestRecord[] }) {
  const { t } = useLingui()
  return (
    <Brief>
      <TextItems requests={requests} label={t`伝達事項`} valueOf={({ messageTts }) => messageTts} />
      <TextItems requests={requests} label={t`現況`} valueOf={({ situation }) => situation} />
      {requests[0] && <NotesItem request={requests[0]} />}
    </Brief>
  )
}
