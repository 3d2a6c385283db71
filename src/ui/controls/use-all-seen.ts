import { type RefObject, useEffect, useState } from 'react'

/** Root margin that excludes the app bar, sticky header and footer of a screen. */
const COVERED = '-96px 0px -96px 0px'
const WHOLE = 0.9

type Sight = Pick<IntersectionObserverEntry, 'intersectionRatio' | 'intersectionRect' | 'rootBounds'>

/** True if a line is visible: nearly all of it, or at least half a screen of a very tall line. */
export const isInSight = ({ intersectionRatio, intersectionRect, rootBounds }: Sight): boolean =>
  intersectionRatio >= WHOLE ||
  (intersectionRatio > 0 && rootBounds !== null && intersectionRect.height >= rootBounds.height / 2)

/** Returns for each line of a list whether it is or was visible. */
export function useAllSeen(list: RefObject<HTMLElement | null>, isWatched: boolean): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const lines = [...(list.current?.children ?? [])]
    if (isSeen || !isWatched) return undefined
    const open = new Set<Element>(lines)
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!isInSight(entry)) continue
          open.delete(entry.target)
          observer.unobserve(entry.target)
        }
        if (open.size === 0) setSeen(true)
      },
      { rootMargin: COVERED, threshold: [0, 0.25, 0.5, 0.75, WHOLE] },
    )
    for (const line of lines) observer.observe(line)
    return () => observer.disconnect()
  }, [list, isSeen, isWatched])
  return isSeen
}
