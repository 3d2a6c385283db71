import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { CloudAlert, CloudOff, Wifi } from 'lucide-react'
import { Icon, cx } from '#ui/base/icon.tsx'
import styles from './connection-badge.module.css'

const ICONS = { online: Wifi, offline: CloudOff, stalled: CloudAlert }

interface ConnectionBadgeProps {
  online: boolean
  /** True if the device is online but sending makes no progress. */
  stalled?: boolean | undefined
  unsent?: number | undefined
  failed?: boolean | undefined
  upright?: boolean | undefined
}

/** Shows exactly one of オンライン, オフライン and 送信待ち. */
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
