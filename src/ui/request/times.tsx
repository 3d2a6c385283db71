import type { ReactNode } from 'react'
import styles from './times.module.css'

interface TimeFact {
  label: string
  day?: string | undefined
  value: ReactNode
  note?: string | undefined
}

/** 入館時刻 and 退館時刻 side by side, read-only. */
export const Times = ({ entry, exit }: { entry: TimeFact; exit: TimeFact }) => (
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
