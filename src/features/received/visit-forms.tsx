import { useLingui } from '@lingui/react/macro'
import { createLink, Navigate } from '@tanstack/react-router'
import { Shield, Siren, StickyNote } from 'lucide-react'
import { RegistrationStatus, SafetyType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { isRegistered, useSafetyRows } from '#data/resources/safety-measures.ts'
import { requestHead } from '#data/visits/request-facts.ts'
import { useVisitOf } from '#data/visits/use-visits.ts'
import { shownLabel } from '#lib/language.ts'
import { NotHere } from '#features/request-form/list-load-state.tsx'
import { IconAnchor, LinkList } from '#ui/controls/links.tsx'
import { Lead } from '#ui/layout/layout.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'

const FormLink = createLink(IconAnchor)

interface VisitFormsProps {
  requestId: string
  workingDate: string
  received: readonly string[]
}

/** The forms of a visit that accept photos. Each replaces this screen in the history, so that back does not return here. */
export function VisitForms({ requestId, workingDate, received }: VisitFormsProps) {
  const visit = useVisitOf(requestId, workingDate)
  if (visit === 'loading') return <ViewSkeleton />
  if (visit === 'missing') return <Navigate to="/share" search={{}} replace />
  if (typeof visit === 'string') return <NotHere />
  return <Forms request={visit.request} received={received} />
}

function Forms({ request, received }: { request: RequestRecord; received: readonly string[] }) {
  const { t } = useLingui()
  const { id, workingDate, workingDateType, noteLocationAreaStatus: noteStatus } = request
  const { unregistered, registered } = RegistrationStatus.code
  const takesNotes = noteStatus === unregistered || noteStatus === registered
  const head = requestHead(request)
  const open = useSafetyRows(request)?.filter(({ measure }) => !measure || !isRegistered(measure))
  const entry = { state: { received }, replace: true } as const
  if (!open) return <ViewSkeleton />
  return (
    <>
      <SectionHead>{t`どのフォームに追加しますか`}</SectionHead>
      <Lead>{`${head.place} ${head.code}`}</Lead>
      <LinkList>
        <li>
          <FormLink
            {...entry}
            to="/emergencyReport/add/$id"
            params={{ id }}
            search={{ workingDate }}
            icon={Siren}
          >
            {t`緊急報告`}
          </FormLink>
        </li>
        {open.map(({ type, named }) => (
          <li key={type}>
            <FormLink
              {...entry}
              to="/safetyMeasure/add"
              search={{
                requestId: id,
                safetyType: type,
                workingDate,
                ...(workingDateType && { workingDateType }),
              }}
              icon={Shield}
            >
              <SafetyName name={shownLabel(SafetyType.label(type))} named={named} />
            </FormLink>
          </li>
        ))}
        {takesNotes && (
          <li>
            <FormLink
              {...entry}
              to="/noteLocationArea/add/$requestId"
              params={{ requestId: id }}
              icon={StickyNote}
            >
              {t`現場メモ`}
            </FormLink>
          </li>
        )}
      </LinkList>
    </>
  )
}

function SafetyName({ name, named }: { name: string; named: boolean }) {
  const { t } = useLingui()
  return (
    <span>
      {t`安全対策：${name}`}
      {named && <small>{`（${t`依頼に指示あり`}）`}</small>}
    </span>
  )
}
