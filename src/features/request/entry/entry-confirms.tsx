import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { messageText } from '#messages/messages.ts'
import { requestFacts } from '#data/visits/request-facts.ts'
import { useToday } from '#data/context/use-now.ts'
import type { Visit } from '#data/visits/visits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { momentText, timeText } from '#lib/time/tokyo-time.ts'
import { isOtherDay } from '#lib/time/working-day.ts'
import { UnsavedNotice } from '#features/request-form/unsaved-notice.tsx'
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
  /** Called for いいえ to any question. */
  onNo: () => void
  /** Called for はい to the last question. */
  onYes: () => Promise<unknown>
}

type Step = 'access' | 'cautions' | 'time'

/** The three questions before an entry, one after another: ec00018, ec00019, then ec00022 or ec00023. */
export function EntryConfirms({ visits, mode, inTime, onNo, onYes }: EntryConfirmsProps) {
  const { i18n } = useLingui()
  const [step, setStep] = useState<Step>('access')
  const [busy, setBusy] = useState(false)
  const today = useToday()
  const requests = visits.map(({ request }) => request)
  const isOther = requests.some(({ workingDate }) => isOtherDay(inTime, workingDate))
  const time = isOther ? momentText(inTime, today) : timeText(inTime)
  const save = () => {
    setBusy(true)
    void onYes().finally(() => setBusy(false))
  }
  switch (step) {
    case 'access':
    case 'cautions': {
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
    case 'time':
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
  }
}

/** Returns a function that appends the names of requests to a label. Example: 入館方法（09:00〜10:30 保守）. */
const useRequestLabel = () => {
  const { t } = useLingui()
  return (label: string, requestNames: readonly string[]) => {
    const names = requestNames.join(t`、`)
    return names === '' ? label : t`${label}（${names}）`
  }
}

interface TextItemsProps {
  requests: readonly RequestRecord[]
  texts: readonly { label: string; textOf: (request: RequestRecord) => string | null }[]
}

/** Labelled texts of the requests. A text that all requests share appears once. */
function TextItems({ requests, texts }: TextItemsProps) {
  const { t } = useLingui()
  const labelFor = useRequestLabel()
  return texts.flatMap(({ label, textOf }) =>
    sharedFacts(requests, textOf).map(({ value, of }) => (
      <BriefItem key={`${label} ${value}`} label={labelFor(label, of)}>
        {value || t`なし`}
      </BriefItem>
    )),
  )
}

/** The facts on access, which the question ec00018 asks about. */
function Access({ requests }: { requests: readonly RequestRecord[] }) {
  const { t } = useLingui()
  const labelFor = useRequestLabel()
  const texts = [
    { label: t`入館方法`, textOf: (request: RequestRecord) => requestFacts(request).inMethod },
    { label: t`駐車場`, textOf: (request: RequestRecord) => requestFacts(request).parking },
  ]
  const contacts = [
    { label: t`入館連絡先`, contactOf: (request: RequestRecord) => requestFacts(request).inContact },
    { label: t`退館連絡先`, contactOf: (request: RequestRecord) => requestFacts(request).outContact },
  ]
  return (
    <Brief>
      <TextItems requests={requests} texts={texts} />
      {contacts.flatMap(({ label, contactOf }) =>
        sharedFacts(requests, contactOf).map(({ value, of }) => (
          <ContactItem
            key={`${label} ${JSON.stringify(value)}`}
            label={labelFor(label, of)}
            contact={value}
          />
        )),
      )}
    </Brief>
  )
}

interface ContactItemProps {
  label: string
  contact: ReturnType<typeof requestFacts>['inContact']
}

function ContactItem({ label, contact }: ContactItemProps) {
  const { t } = useLingui()
  return (
    <BriefItem label={label} action={contact?.tel && <PhoneLink number={contact.tel} />}>
      {contact ? contact.name || t`名称なし` : t`なし`}
      {contact?.tel && (
        <>
          <br />
          <span className="num">{contact.tel}</span>
        </>
      )}
    </BriefItem>
  )
}

/** The number of 現場メモ of the place, as in the link on 依頼詳細. */
function NotesItem({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const { count } = useRequestNotes(request)
  return <BriefItem label={t`現場メモ`}>{t`${count}件`}</BriefItem>
}

/** The cautions, which the question ec00019 asks about. */
function Cautions({ requests }: { requests: readonly RequestRecord[] }) {
  const { t } = useLingui()
  const texts = [
    { label: t`伝達事項`, textOf: ({ messageTts }: RequestRecord) => messageTts },
    { label: t`現況`, textOf: ({ situation }: RequestRecord) => situation },
  ]
  return (
    <Brief>
      <TextItems requests={requests} texts={texts} />
      {requests[0] && <NotesItem request={requests[0]} />}
    </Brief>
  )
}
