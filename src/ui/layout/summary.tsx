import type { ReactNode } from 'react'
import styles from './summary.module.css'

/** A white line below the app bar that summarises the screen: 未送信 5件, 2件を選択中, or a machine. */
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
