import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { messageText } from '#messages/messages.ts'
import { requestFacts } from '#data/visits/request-facts.ts'
import { useToday } from '#data/context/use-now.ts'
import type { Visit } from '#data/visits/visits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { momentText, timeText } from '#lib/time/tokyo-time.ts'
import { isOtherDay } from '#lib/time/working-day.ts'
import { UnsavedNotice } from '#features/request-form/notices.tsx'
import { Brief, BriefItem } from '#ui/request/brief.tsx'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'
import { PhoneLink } from '#ui/request/mini.tsx'
import type { EntryMode } from './entry-time.ts'
import { useRequestNotes } from '#data/resources/note-location-area-count.ts'
import { sharedFacts } from './shared-facts.ts'

interface EntryConfirmsProps {
  visits: readonly Visit[]
  mode: EntryMode
  /** Time of the entry, ISO 8601. The last question contains it. */
  inTime: string
  onNo: () => void
  onYes: () => Promise<unknown>
}

/** The three questions before an entry, one after another: ec00018, ec00019, then ec00022 or ec00023. */
export function EntryConfirms({ visits, mode, inTime, onNo, onYes }: EntryConfirmsProps) {
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
