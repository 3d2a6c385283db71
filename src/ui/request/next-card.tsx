import { type ReactNode, useId } from 'react'
import { cx } from '#ui/base/cx.ts'
import styles from './next-card.module.css'

interface NextCardProps {
  /** 次の現場 or 作業中の現場. */
  label: string
  /** True while the user is inside the site. */
  now: boolean
  actions: ReactNode
  children: ReactNode
}

/** The next visit's row, with a label and buttons. */
export function NextCard({ label, now, actions, children }: NextCardProps) {
  const id = useId()
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- HTML has no element for a row grouped with its buttons
    <div className={cx(styles.next, now && styles.now)} role="group" aria-labelledby={id}>
      <p className={styles.label} id={id}>
        {label}
      </p>
      {children}
      <div className={styles.actions}>{actions}</div>
    </div>
  )
}
