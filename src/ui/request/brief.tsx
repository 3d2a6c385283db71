import type { ReactNode } from 'react'
import styles from './brief.module.css'

/** A list of facts in a sheet. Children are BriefItems. */
export function Brief({ children }: { children: ReactNode }) {
  return <dl className={styles.brief}>{children}</dl>
}

interface BriefItemProps {
  label: string
  action?: ReactNode
  children: ReactNode
}

/** A fact with its label. */
export function BriefItem({ label, action, children }: BriefItemProps) {
  return (
    <div className={action ? styles.call : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
      {action && <dd className={styles.action}>{action}</dd>}
    </div>
  )
}
