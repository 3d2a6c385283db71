import type { ReactNode } from 'react'
import styles from './visit-row.module.css'

export interface VisitFacts {
  /** Example: 09:00 */
  start: string
  end?: string | undefined
  /** OrderFlagTag and EmergencyTag. */
  tags?: ReactNode
  /** The request code. */
  code: string
  place: string
  customer?: string | undefined
  /** Mark and SendStateBadge: time of 入館, send state. */
  marks?: ReactNode
  /** An icon below the time. */
  aside?: ReactNode
}

/** The start time in large type, with the end time below. */
export function VisitTime({ start, end, aside }: Pick<VisitFacts, 'start' | 'end' | 'aside'>) {
  return (
    <span className={`${styles.time} num`}>
      <b>{start}</b>
      {end !== undefined && <span>〜{end}</span>}
      {aside}
    </span>
  )
}

/** The part of a visit to the right of the rail. */
export function VisitBody(props: Omit<VisitFacts, 'start' | 'end' | 'aside'> & { heading?: boolean }) {
  const { heading, tags, code, place, customer, marks } = props
  const Place = heading ? 'h3' : 'span'
  return (
    <span className={styles.body}>
      <span className={styles.top}>
        <span className={styles.tags}>{tags}</span>
        <span className={`${styles.code} num`}>{code}</span>
      </span>
      <Place className={styles.place}>{place}</Place>
      {customer !== undefined && <span className={styles.customer}>{customer}</span>}
      {marks && <span className={styles.marks}>{marks}</span>}
    </span>
  )
}
