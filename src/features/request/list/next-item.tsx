import { useLingui } from '@lingui/react/macro'
import { DoorOpen, LogIn, MapPin, Phone, type LucideIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { mapOf } from '#data/visits/request-facts.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitRow } from '#data/visits/visits.ts'
import { dialled } from '#lib/phone-number.ts'
import { ButtonAnchor, BarredLink } from '#ui/controls/button.tsx'
import { cx } from '#ui/base/icon.tsx'
import styles from '#ui/request/next-card.module.css'
import { PathButton } from '#ui/controls/path-link.tsx'

interface NextVisitProps {
  row: ListedRequest
  visit: VisitRow
  children: ReactNode
}

/** The next visit at the top of the list, with the buttons 地図, 電話, and 入館 or 退館. */
export function NextVisit({ row, visit: { state, report }, children }: NextVisitProps) {
  const { t } = useLingui()
  const id = useId()
  const isInside = state === 'in'
  const number = dialled(row.tel ?? '')
  const entry = new URLSearchParams({ workingDate: row.workingDate, popup: 'entry' })
  const path =
    isInside && report
      ? `/quickReport/add/${encodeURIComponent(report.id)}`
      : `/request/${encodeURIComponent(row.id)}?${entry.toString()}`
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- HTML has no element for a row grouped with its buttons
    <div className={cx(styles.next, isInside && styles.now)} role="group" aria-labelledby={id}>
      <p className={styles.label} id={id}>
        {isInside ? t`作業中の現場` : t`次の現場`}
      </p>
      {children}
      <div className={styles.actions}>
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
        <PathButton path={path} variant="primary" icon={isInside ? DoorOpen : LogIn}>
          {isInside ? t`退館` : t`入館`}
        </PathButton>
      </div>
    </div>
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
function OutsideLink({ href, reason, isNewTab = false, ...button }: OutsideLinkProps) {
  if (href === null) return <BarredLink {...button} tall reason={reason} />
  return (
    <ButtonAnchor {...button} href={href} tall {...(isNewTab && { target: '_blank', rel: 'noreferrer' })} />
  )
}
