import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import styles from './near-end.module.css'

interface NearEndProps {
  px: number
  /** Number of rows shown. After a change, the distance from the end is measured again. */
  shown: number
  onNear: (() => void) | undefined
  children: ReactNode
}

/** A list that loads more rows near its end. It works in a scrolling page and in a scrolling pane. */
export const NearEnd = ({ px, shown, onNear, children }: NearEndProps) => (
  <div className={styles.list}>
    {children}
    {onNear && <EndStrip key={shown} px={px} onNear={onNear} />}
  </div>
)

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
