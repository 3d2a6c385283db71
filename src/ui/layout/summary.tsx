import type { ReactNode } from 'react'
import styles from './summary.module.css'

/** A white line below the app bar that summarises the screen. Examples: 未送信 5件, 2件を選択中, the name of a machine. */
export function Summary({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.summary}>
      <b>{title}</b>
      {children && <p>{children}</p>}
    </div>
  )
}
