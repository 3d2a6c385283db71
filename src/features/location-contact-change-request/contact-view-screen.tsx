import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { CloudOff, Lock, Pencil } from 'lucide-react'
import type { ContactTypeCode } from '#schemas/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { useOnline } from '#data/app-context.tsx'
import { isOffered } from '#data/offline-policy.ts'
import { useChangeRequest } from '#data/use-change-request.ts'
import { ActionBar } from '#ui/action-bar.tsx'
import { BackLink } from '#ui/app-bar.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Def, Defs } from '#ui/defs.tsx'
import { Narrow } from '#ui/desk.tsx'
import { Mark } from '#ui/mark.tsx'
import { PhoneLink } from '#ui/mini.tsx'
import { SendState } from '#ui/send-state.tsx'
import { RequestFormAbsent, RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { contactParam } from './contact-type.ts'
import { inputOf, type ContactChange } from './rules.ts'
import { useContactTexts } from './use-contact-texts.ts'

interface ContactViewScreenProps {
  id: string
  contactType: ContactTypeCode
}

/** 入館連絡先変更依頼詳細, 退館連絡先変更依頼詳細. */
export function ContactViewScreen({ id, contactType }: ContactViewScreenProps) {
  const texts = useContactTexts(contactType)
  const shown = useChangeRequest('locationContactChangeRequests', id)
  if (!shown?.change?.content) return <RequestFormAbsent title={texts.view} loading={shown === undefined} />
  if (shown.change.record.contactType !== contactType) return <Navigate to="/not-found" replace />
  return <ContactView change={shown.change} request={shown.request} />
}

function ContactView({ change, request }: { change: ContactChange; request: RequestRecord | null }) {
  const { t } = useLingui()
  const { requestId, contactType } = change.record
  const { view, labels } = useContactTexts(contactType)
  const content = inputOf(change.content ?? {})
  const day = request ? { workingDate: request.workingDate } : {}
  const fields = ['name', 'kana', 'section', 'class', 'staffName', 'means', 'email'] as const
  return (
    <RequestFormFrame
      title={view}
      back={<BackLink to="/request/$id" params={{ id: requestId }} search={day} />}
      request={request}
      footer={<ViewBar change={change} />}
    >
      <Narrow>
        <Defs>
          {change.unsent && (
            <Def label={t`送信状況`}>
              <SendState state={change.unsent} />
            </Def>
          )}
          {fields.map((field) => (
            <Def key={field} label={labels[field]} long>
              {content[field] || t`なし`}
            </Def>
          ))}
          <Def label={labels.tel1} long action={content.tel1 && <PhoneLink number={content.tel1} />}>
            {content.tel1 || t`なし`}
          </Def>
        </Defs>
      </Narrow>
    </RequestFormFrame>
  )
}

/** 編集, or why not. */
function ViewBar({ change: { id, taken, record } }: { change: ContactChange }) {
  const { t } = useLingui()
  const offered = isOffered('locationContactChangeRequest', 'edit', useOnline())
  if (offered && !taken)
    return (
      <ActionBar>
        <ButtonLink
          to="/locationContactChangeRequest/$id/edit/$type"
          params={{ id, type: contactParam(record.contactType) }}
          variant="primary"
          wide
          icon={Pencil}
        >
          {t`編集`}
        </ButtonLink>
      </ActionBar>
    )
  return (
    <ActionBar>
      <Mark icon={taken ? Lock : CloudOff}>
        {taken ? t`編集できません` : t`オフライン中は登録・編集できません`}
      </Mark>
    </ActionBar>
  )
}
