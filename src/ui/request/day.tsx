import type { ReactNode } from 'react'
import styles from './day.module.css'

interface DayHeadProps {
  /** Example: 11月20日（金） */
  date: string
  /** 今日 or 昨日. */
  relativeDay?: string | undefined
  /** True for today's heading, which is highlighted. */
  today?: boolean | undefined
  /** Example: 完了 1 / 4件 */
  right?: string | undefined
}

/** The sticky heading of a day in the list of visits. */
export function DayHead({ date, relativeDay, today, right }: DayHeadProps) {
  return (
    <h2 className={styles.head}>
      <span className="num">{date}</span>
      {relativeDay !== undefined && <span className={today ? styles.today : styles.near}>{relativeDay}</span>}
      {right !== undefined && <small className="num">{right}</small>}
    </h2>
  )
}

/** A day's visits. Children are li elements, each with one VisitLink or VisitPick. */
export function DayList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>
}
