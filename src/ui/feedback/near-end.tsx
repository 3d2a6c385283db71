import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import styles from './near-end.module.css'

interface NearEndProps {
  /** Distance to the end of the list, in CSS px, at which more rows are loaded. */
  px: number
  /** Number of rows shown. When it changes, the distance to the end is measured again. */
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
      {onNear && <EndStrip key={shown} px={px} onNear={onNear} />}
    </div>
  )
}

/** An invisible strip over the last `px` of the list. `onNear` runs when it comes into view. */
function EndStrip({ px, onNear }: { px: number; onNear: () => void }) {
  const strip = useRef<HTMLDivElement>(null)
  const onVisible = useEffectEvent(onNear)
  useEffect(() => {
    if (!strip.current) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onVisible()
    })
    observer.observe(strip.current)
    return () => observer.disconnect()
  }, [])
  return <div ref={strip} className={styles.strip} style={{ height: px }} aria-hidden="true" />
}
