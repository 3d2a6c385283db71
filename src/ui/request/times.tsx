import type { ReactNode } from 'react'
import styles from './times.module.css'

interface TimeFact {
  label: string
  /** The date of a time outside the working day. Example: 11/21（土）. */
  day?: string | undefined
  /** Example: 08:56. Without a time, a placeholder. */
  value: ReactNode
  /** 登録済 or 保存した時刻で登録. */
  note?: string | undefined
}

/** 入館時刻 and 退館時刻 side by side, read-only. */
export function Times({ entry, exit }: { entry: TimeFact; exit: TimeFact }) {
  return (
    <dl className={styles.times}>
      {[entry, exit].map(({ label, day, value, note }) => (
        <div key={label}>
          <dt>
            {label}
            {day !== undefined && <span className="num"> {day}</span>}
          </dt>
          <dd className={`${styles.value} num`}>{value}</dd>
          {note !== undefined && <dd className={styles.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
