import type { ReactNode } from 'react'
import styles from './summary.module.css'

/** A white line below the app bar with the screen's most important fact. Examples: 未送信 5件, 2件を選択中, a machine's name. */
export function Summary({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.summary}>
      <b>{title}</b>
      {children && <p>{children}</p>}
    </div>
  )
}
