import type { ReactNode } from 'react'
import styles from './summary.module.css'

/** The white line under the bar that sums a screen up: 未送信 5件, 2件を選択中, a device. */
export function Summary({
  title,
  action,
  children,
}: {
  title: ReactNode
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={styles.summary}>
      <div className={styles.text}>
        <b>{title}</b>
        {children && <p>{children}</p>}
      </div>
      {action}
    </div>
  )
}
