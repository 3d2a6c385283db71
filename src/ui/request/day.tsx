import { type ReactNode, useId } from 'react'
import styles from './day.module.css'
import { cx, wrapper } from '#ui/base/icon.tsx'
import nextCardStyles from './next-card.module.css'

interface DayHeadProps {
  date: string
  relativeDay?: string | undefined
  today?: boolean | undefined
  right?: string | undefined
}

/** The sticky heading of a day in the list of visits. */
export const DayHead = ({ date, relativeDay, today, right }: DayHeadProps) => (
  <h2 className={styles.head}>
    <span className="num">{date}</span>
    {relativeDay !== undefined && <span className={today ? styles.today : styles.near}>{relativeDay}</span>}
    {right !== undefined && <small className="num">{right}</small>}
  </h2>
)

/** A day's visits. Children are li elements, each with one VisitLink or VisitPick. */
export const DayList = wrapper('ul', styles.list)

interface NextCardProps {
  label: string
  now: boolean
  actions: ReactNode
  children: ReactNode
}

/** The next visit's row, with a label and buttons. */
export function NextCard({ label, now, actions, children }: NextCardProps) {
  const id = useId()
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- HTML has no element for a row grouped with its buttons
    <div className={cx(nextCardStyles.next, now && nextCardStyles.now)} role="group" aria-labelledby={id}>
      <p className={nextCardStyles.label} id={id}>
        {label}
      </p>
      {children}
      <div className={nextCardStyles.actions}>{actions}</div>
    </div>
  )
}
