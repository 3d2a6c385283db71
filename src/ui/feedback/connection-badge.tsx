import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { CloudAlert, CloudOff, Wifi } from 'lucide-react'
import { cx } from '#ui/layout/cx.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './connection-badge.module.css'

const ICONS = { online: Wifi, offline: CloudOff, stalled: CloudAlert }

interface ConnectionBadgeProps {
  online: boolean
  /** There is a connection, and still nothing goes. */
  stalled?: boolean | undefined
  /** Changes not yet in the CRM; from one on, the whole block is the link 未送信 n件 to 送信状況. */
  unsent?: number | undefined
  /** One of them has failed or expired: the count turns red, as that of the tab 送信状況 does. */
  failed?: boolean | undefined
  /** Upright, for the rail. */
  upright?: boolean | undefined
}

/** オンライン, オフライン or 送信待ち, always one of them. */
export function ConnectionBadge({ online, stalled, unsent = 0, failed, upright }: ConnectionBadgeProps) {
  const { t } = useLingui()
  const state = !online ? 'offline' : stalled ? 'stalled' : 'online'
  const texts = { online: t`オンライン`, offline: t`オフライン`, stalled: t`送信待ち` }
  return (
    <div className={cx(styles.conn, unsent > 0 && styles.two, upright && styles.upright)} data-state={state}>
      <span className={styles.badge}>
        <Icon as={ICONS[state]} />
        {texts[state]}
      </span>
      {unsent > 0 && (
        <>
          <Link to="/outbox" className={cx(styles.todo, failed && styles.failed, 'num')}>
            {t`未送信 ${unsent}件`}
          </Link>
          {failed && <span className="vh">{t`送信できなかったものがあります`}</span>}
        </>
      )}
    </div>
  )
}
