import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import styles from './near-end.module.css'

interface NearEndProps {
  /** Distance to the end of the list, in CSS px, at which more rows are loaded. */
  px: number
  /** Number of rows shown. A change measures the distance to the end again. */
  shown: number
  /** Undefined if there are no more rows. */
  onNear: (() => void) | undefined
  children: ReactNode
}

/** A list that loads more rows near its end, whichever element scrolls. */
export function NearEnd({ px, shown, onNear, children }: NearEndProps) {
  return (
    <div className={styles.list}>
      {children}
      {onNear && <Mark key={shown} px={px} onNear={onNear} />}
    </div>
  )
}

/** A marker of `px` height at the end of the list. `onNear` runs when it becomes visible. */
function Mark({ px, onNear }: { px: number; onNear: () => void }) {
  const mark = useRef<HTMLDivElement>(null)
  const onVisible = useEffectEvent(onNear)
  useEffect(() => {
    if (!mark.current) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onVisible()
    })
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [])
  return <div ref={mark} className={styles.mark} style={{ height: px }} aria-hidden="true" />
}
