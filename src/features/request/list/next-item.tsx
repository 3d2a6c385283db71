import { useLingui } from '@lingui/react/macro'
import { DoorOpen, LogIn, MapPin, Phone, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { mapOf } from '#data/visits/request-facts.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitRow } from '#data/visits/visits.ts'
import { dialled } from '#lib/phone-number.ts'
import { ButtonAnchor, BarredLink } from '#ui/controls/button.tsx'
import { NextCard } from '#ui/request/day.tsx'
import { PathButton } from '#ui/controls/path-link.tsx'

interface NextVisitProps {
  row: ListedRequest
  visit: VisitRow
  children: ReactNode
}

/** The next visit at the top of the list, with the buttons 地図, 電話, and 入館 or 退館. */
export function NextVisit({ row, visit, children }: NextVisitProps) {
  const { t } = useLingui()
  const isInside = visit.state === 'in'
  const number = dialled(row.tel ?? '')
  return (
    <NextCard
      label={isInside ? t`作業中の現場` : t`次の現場`}
      now={isInside}
      actions={
        <>
          <OutsideLink
            href={mapOf(row.address, row.locationName)}
            reason={t`住所と作業場所の名前がありません`}
            icon={MapPin}
            isNewTab
          >{t`地図`}</OutsideLink>
          <OutsideLink
            href={number === null ? null : `tel:${number}`}
            reason={t`入館連絡先の電話番号がありません`}
            icon={Phone}
          >{t`電話`}</OutsideLink>
          <PathButton
            path={isInside && visit.report ? exitPath(visit.report.id) : entryPath(row)}
            variant="primary"
            icon={isInside ? DoorOpen : LogIn}
          >
            {isInside ? t`退館` : t`入館`}
          </PathButton>
        </>
      }
    >
      {children}
    </NextCard>
  )
}

interface OutsideLinkProps {
  /** The link's target; null disables the button, which then says why. */
  href: string | null
  reason: string
  icon: LucideIcon
  isNewTab?: boolean
  children: string
}

/** A button that opens a map or the phone app. */
function OutsideLink({ href, reason, icon, isNewTab = false, children }: OutsideLinkProps) {
  if (href === null)
    return (
      <BarredLink tall icon={icon} reason={reason}>
        {children}
      </BarredLink>
    )
  return (
    <ButtonAnchor href={href} {...(isNewTab && { target: '_blank', rel: 'noreferrer' })} tall icon={icon}>
      {children}
    </ButtonAnchor>
  )
}

/** Returns the URL path of 依頼詳細 with the popup 入館登録 open. */
function entryPath({ id, workingDate }: ListedRequest): string {
  const query = new URLSearchParams({ workingDate, popup: 'entry' })
  return `/request/${encodeURIComponent(id)}?${query.toString()}`
}

const exitPath = (reportId: string) => `/quickReport/add/${encodeURIComponent(reportId)}`
