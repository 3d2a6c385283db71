import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { messageText } from '#messages/messages.ts'
import { requestFacts } from '#data/request-facts.ts'
import { useToday } from '#data/use-now.ts'
import type { Visit } from '#data/visits.ts'
import { momentText, timeText } from '#lib/tokyo-time.ts'
import { isOtherDay } from '#lib/working-day.ts'
import { Brief, BriefItem } from '#ui/brief.tsx'
import { ConfirmSheet } from '#ui/confirm-sheet.tsx'
import { PhoneLink } from '#ui/mini.tsx'
import type { EntryMode } from './entry-time.ts'

interface EntryConfirmsProps {
  visits: readonly Visit[]
  mode: EntryMode
  /** ISO 8601; what the last question names is what is saved */
  inTime: string
  /** いいえ, at any question. */
  onNo: () => void
  /** はい to all of them. */
  onYes: () => Promise<unknown>
}

type Step = 'access' | 'cautions' | 'time'

/** The questions before an entry, one after another: ec00018, ec00019, then ec00022 or ec00023. */
export function EntryConfirms({ visits, mode, inTime, onNo, onYes }: EntryConfirmsProps) {
  const { i18n } = useLingui()
  const [step, setStep] = useState<Step>('access')
  const [busy, setBusy] = useState(false)
  const today = useToday()
  const isOther = visits.some(({ request }) => isOtherDay(inTime, request.workingDate))
  const time = isOther ? momentText(inTime, today) : timeText(inTime)
  const save = () => {
    setBusy(true)
    void onYes().finally(() => setBusy(false))
  }
  switch (step) {
    case 'access':
      return (
        <ConfirmSheet
          key={step}
          question={messageText(i18n, 'ec00018')}
          onYes={() => setStep('cautions')}
          onNo={onNo}
        >
          <Access visits={visits} />
        </ConfirmSheet>
      )
    case 'cautions':
      return (
        <ConfirmSheet
          key={step}
          question={messageText(i18n, 'ec00019')}
          onYes={() => setStep('time')}
          onNo={onNo}
        >
          <Cautions visits={visits} />
        </ConfirmSheet>
      )
    case 'time':
      return (
        <ConfirmSheet
          key={step}
          question={messageText(i18n, mode === 'now' ? 'ec00022' : 'ec00023', { time })}
          busy={busy}
          onYes={save}
          onNo={onNo}
        />
      )
  }
}

/** How one gets in, of each request. */
function Access({ visits }: { visits: readonly Visit[] }) {
  const { t } = useLingui()
  const of = (code: string) => (visits.length > 1 ? `（${code}）` : '')
  return (
    <Brief>
      {visits.flatMap(({ request }) => {
        const { key, requestCode } = request
        const { inMethod, parking, inContact, outContact } = requestFacts(request)
        const contacts = [
          { label: t`入館連絡先`, contact: inContact },
          { label: t`退館連絡先`, contact: outContact },
        ]
        return [
          <BriefItem key={`${key} i`} label={`${t`入館方法`}${of(requestCode)}`}>
            {inMethod || t`なし`}
          </BriefItem>,
          <BriefItem key={`${key} p`} label={`${t`駐車場`}${of(requestCode)}`}>
            {parking || t`なし`}
          </BriefItem>,
          ...contacts.map(({ label, contact }) => (
            <ContactItem key={`${key} ${label}`} label={`${label}${of(requestCode)}`} contact={contact} />
          )),
        ]
      })}
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

/** What to watch out for, of each request. */
function Cautions({ visits }: { visits: readonly Visit[] }) {
  const { t } = useLingui()
  const notes = visits[0]?.request.noteLocationAreaCount ?? 0
  const of = (code: string) => (visits.length > 1 ? `（${code}）` : '')
  return (
    <Brief>
      {visits.flatMap(({ request: { key, requestCode, situation, messageTts } }) => [
        <BriefItem key={`${key} m`} label={`${t`伝達事項`}${of(requestCode)}`}>
          {messageTts ?? t`なし`}
        </BriefItem>,
        <BriefItem key={`${key} s`} label={`${t`現況`}${of(requestCode)}`}>
          {situation ?? t`なし`}
        </BriefItem>,
      ])}
      <BriefItem label={t`現場メモ`}>{t`${notes}件`}</BriefItem>
    </Brief>
  )
}
