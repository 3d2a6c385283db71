import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import styles from './near-end.module.css'

interface NearEndProps {
  /** How near the end of the list, in CSS px, more is shown. */
  px: number
  /** How much is shown: another number, and the end is looked for anew. */
  shown: number
  /** Absent where there is no more. */
  onNear: (() => void) | undefined
  children: ReactNode
}

/** A list that grows when its end comes near, whatever scrolls around it. */
export function NearEnd({ px, shown, onNear, children }: NearEndProps) {
  return (
    <div className={styles.list}>
      {children}
      {onNear && <Mark key={shown} px={px} onNear={onNear} />}
    </div>
  )
}

/** As high as the end is near: whoever sees it is near the end. */
function Mark({ px, onNear }: { px: number; onNear: () => void }) {
  const mark = useRef<HTMLDivElement>(null)
  const tell = useEffectEvent(onNear)
  useEffect(() => {
    if (!mark.current) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) tell()
    })
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [])
  return <div ref={mark} className={styles.mark} style={{ height: px }} aria-hidden="true" />
}
