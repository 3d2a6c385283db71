import { useLingui } from '@lingui/react/macro'
import { DoorOpen, LogIn, MapPin, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { mapOf } from '#data/visits/request-facts.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitRow } from '#data/visits/visits.ts'
import { dialled } from '#lib/phone-number.ts'
import { BarredLink } from '#ui/controls/barred-link.tsx'
import { ButtonAnchor } from '#ui/controls/button.tsx'
import { NextCard } from '#ui/request/next-card.tsx'
import { PathButton } from '#ui/controls/path-link.tsx'

interface NextVisitProps {
  row: ListedRequest
  visit: VisitRow
  /** The visit as a row of the list. */
  children: ReactNode
}

/** The next visit on top of the list with its actions: 地図, 電話, 入館 or 退館. */
export function NextVisit({ row, visit, children }: NextVisitProps) {
  const { t } = useLingui()
  const isInside = visit.state === 'in'
  return (
    <NextCard
      label={isInside ? t`作業中の現場` : t`次の現場`}
      now={isInside}
      actions={
        <>
          <Look href={mapOf(row.address, row.locationName)} />
          <Call tel={row.tel} />
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

function Look({ href }: { href: string | null }) {
  const { t } = useLingui()
  if (href === null)
    return (
      <BarredLink tall icon={MapPin} reason={t`住所と作業場所の名前がありません`}>
        {t`地図`}
      </BarredLink>
    )
  return (
    <ButtonAnchor href={href} target="_blank" rel="noreferrer" tall icon={MapPin}>
      {t`地図`}
    </ButtonAnchor>
  )
}

function Call({ tel }: { tel: string | null }) {
  const { t } = useLingui()
  const number = dialled(tel ?? '')
  if (number === null)
    return (
      <BarredLink tall icon={Phone} reason={t`入館連絡先の電話番号がありません`}>
        {t`電話`}
      </BarredLink>
    )
  return (
    <ButtonAnchor href={`tel:${number}`} tall icon={Phone}>
      {t`電話`}
    </ButtonAnchor>
  )
}

/** Returns the URL of 依頼詳細 with 入館登録 open. Going back leads to the list. */
function entryPath({ id, workingDate }: ListedRequest): string {
  const query = new URLSearchParams({ workingDate, popup: 'entry' })
  return `/request/${encodeURIComponent(id)}?${query.toString()}`
}

const exitPath = (reportId: string) => `/quickReport/add/${encodeURIComponent(reportId)}`
