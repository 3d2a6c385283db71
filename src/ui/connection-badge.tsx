import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { CloudOff, Wifi } from 'lucide-react'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'
import styles from './connection-badge.module.css'

interface ConnectionBadgeProps {
  online: boolean
  /** Changes not yet in the CRM; from one on, the whole block is the link 未送信 n件 to 送信状況. */
  unsent?: number | undefined
  /** Upright, for the rail. */
  upright?: boolean | undefined
}

/** オンライン or オフライン, always. */
export function ConnectionBadge({ online, unsent = 0, upright }: ConnectionBadgeProps) {
  const { t } = useLingui()
  return (
    <div
      className={cx(styles.conn, unsent > 0 && styles.two, upright && styles.upright)}
      data-state={online ? 'online' : 'offline'}
    >
      <span className={styles.badge}>
        <Icon as={online ? Wifi : CloudOff} />
        {online ? t`オンライン` : t`オフライン`}
      </span>
      {unsent > 0 && (
        <Link to="/outbox" className={cx(styles.todo, 'num')}>
          {t`未送信 ${unsent}件`}
        </Link>
      )}
    </div>
  )
}
