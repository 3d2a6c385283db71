import type { ReactNode } from 'react'
import styles from './visit-row.module.css'

export interface VisitFacts {
  /** 09:00 */
  start: string
  end?: string | undefined
  /** OrderFlagTag and EmergencyTag. */
  tags?: ReactNode
  /** The request code. */
  code: string
  place: string
  customer?: string | undefined
  /** Mark and SendState: 入館 time, sending state. */
  marks?: ReactNode
  /** An icon under the time. */
  aside?: ReactNode
}

/** Start large, end under it. */
export function VisitTime({ start, end, aside }: Pick<VisitFacts, 'start' | 'end' | 'aside'>) {
  return (
    <span className={`${styles.time} num`}>
      <b>{start}</b>
      {end !== undefined && <span>〜{end}</span>}
      {aside}
    </span>
  )
}

/** What stands right of the rail. */
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
