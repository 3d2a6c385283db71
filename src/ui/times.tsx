import type { ReactNode } from 'react'
import styles from './times.module.css'

export interface TimeFact {
  label: string
  /** 08:56, or what stands for a time not there yet. */
  value: ReactNode
  /** 登録済, 保存した時刻で登録 */
  note?: string | undefined
}

/** The ruled pair 入館時刻 / 退館時刻: read, not typed. */
export function Times({ entry, exit }: { entry: TimeFact; exit: TimeFact }) {
  return (
    <dl className={styles.times}>
      {[entry, exit].map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={`${styles.value} num`}>{value}</dd>
          {note !== undefined && <dd className={styles.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
