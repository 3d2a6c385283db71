import type { ReactNode } from 'react'
import { wrapper } from '#ui/base/icon.tsx'
import styles from './brief.module.css'

/** A list of facts in a sheet. Children are BriefItems. */
export const Brief = wrapper('dl', styles.brief)

interface BriefItemProps {
  label: string
  action?: ReactNode
  children: ReactNode
}

/** A fact with its label. */
export const BriefItem = ({ label, action, children }: BriefItemProps) => (
  <div className={action ? styles.call : undefined}>
    <dt>{label}</dt>
    <dd>{children}</dd>
    {action && <dd className={styles.action}>{action}</dd>}
  </div>
)
