import type { ReactNode } from 'react'
import styles from './brief.module.css'

/** Facts quoted in a sheet. Children are BriefItems. */
export function Brief({ children }: { children: ReactNode }) {
  return <dl className={styles.brief}>{children}</dl>
}

/** One fact. `action` is a MiniLink at its right (電話). */
export function BriefItem({
  label,
  action,
  children,
}: {
  label: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={action ? styles.call : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
      {action && <dd className={styles.action}>{action}</dd>}
    </div>
  )
}
