import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import styles from './day.module.css'

interface DayHeadProps {
  /** 11月20日（金） */
  date: string
  today?: boolean | undefined
  /** 完了 1 / 4件 */
  right?: string | undefined
}

/** The sticky head of a day of visits. */
export function DayHead({ date, today, right }: DayHeadProps) {
  const { t } = useLingui()
  return (
    <h2 className={styles.head}>
      <span className="num">{date}</span>
      {today && <span className={styles.today}>{t`今日`}</span>}
      {right !== undefined && <small className="num">{right}</small>}
    </h2>
  )
}

/** The visits of a day: li elements, each with one VisitLink or VisitPick. */
export function DayList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>
}
