import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { inputOf } from '#schemas/form-values.ts'
import {
  locationContactChangeRequest,
  type ContactTypeCode,
} from '#schemas/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { useChangeRequest } from '#data/use-change-request.ts'
import { useLeaveForm } from '#data/use-leave-form.ts'
import { BackButton } from '#ui/app-bar.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Def, Defs } from '#ui/defs.tsx'
import { Narrow } from '#ui/desk.tsx'
import { PhoneLink } from '#ui/mini.tsx'
import { useOffered } from '#data/use-offline-policy.ts'
import { ChangeHistory } from '#features/request-form/change-history.tsx'
import { EditBar } from '#features/request-form/edit-bar.tsx'
import { UnsentDef } from '#features/request-form/unsent-def.tsx'
import { RequestFormAbsent, RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { contactParam } from './contact-type.ts'
import type { ContactChange } from './rules.ts'
import { useContactTexts } from './use-contact-texts.ts'

interface ContactViewScreenProps {
  id: string
  contactType: ContactTypeCode
}

/** 入館連絡先変更依頼詳細, 退館連絡先変更依頼詳細. */
export function ContactViewScreen({ id, contactType }: ContactViewScreenProps) {
  const texts = useContactTexts(contactType)
  const shown = useChangeRequest('locationContactChangeRequests', id)
  if (typeof shown === 'string') return <RequestFormAbsent title={texts.view} state={shown} />
  if (shown.change.record.contactType !== contactType) return <Navigate to="/not-found" replace />
  return <ContactView change={shown.change} request={shown.request} />
}

function ContactView({ change, request }: { change: ContactChange; request: RequestRecord | null }) {
  const { t } = useLingui()
  const offered = useOffered('locationContactChangeRequest', 'edit')
  const leave = useLeaveForm()
  const { requestId, contactType } = change.record
  const { view, labels } = useContactTexts(contactType)
  const content = inputOf(locationContactChangeRequest, change.content ?? {})
  const fields = ['name', 'kana', 'section', 'class', 'staffName', 'means', 'email'] as const
  return (
    <RequestFormFrame
      title={view}
      back={<BackButton onClick={() => void leave(requestId)} />}
      request={request}
      footer={
        <EditBar slug="locationContactChangeRequest" taken={change.taken}>
          <ButtonLink
            to="/locationContactChangeRequest/$id/edit/$type"
            params={{ id: change.id, type: contactParam(contactType) }}
            variant="primary"
            wide
            icon={Pencil}
          >
            {t`編集`}
          </ButtonLink>
        </EditBar>
      }
    >
      <Narrow>
        <Defs>
          <UnsentDef state={change.unsent} />
          {fields.map((field) => (
            <Def key={field} label={labels[field]} long>
              {content[field] || t`なし`}
            </Def>
          ))}
          <Def label={labels.tel1} long action={content.tel1 && <PhoneLink number={content.tel1} />}>
            {content.tel1 || t`なし`}
          </Def>
        </Defs>
        <ChangeHistory
          declaration={locationContactChangeRequest}
          history={change.record.history}
          now={change.content ?? {}}
          labels={labels}
          takeBack={
            change.taken || !offered
              ? null
              : {
                  draftKey: `locationContactChangeRequest/edit/${change.record.key}`,
                  path: `/locationContactChangeRequest/${encodeURIComponent(change.id)}/edit/${contactParam(contactType)}`,
                  valuesOf: (fields) =>
                    inputOf(locationContactChangeRequest, { ...change.content, ...fields }),
                }
          }
        />
      </Narrow>
    </RequestFormFrame>
  )
}
