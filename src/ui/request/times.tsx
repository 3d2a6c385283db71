import type { ReactNode } from 'react'
import styles from './times.module.css'

interface TimeFact {
  label: string
  /** 11/21（土）, where it is not the working day. */
  day?: string | undefined
  /** 08:56, or what stands for a time not there yet. */
  value: ReactNode
  /** 登録済, 保存した時刻で登録 */
  note?: string | undefined
}

/** The ruled pair 入館時刻 / 退館時刻: read, not typed. */
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
