import { type RefObject, useEffect, useState } from 'react'

/** Root margin that excludes the app bar, sticky header and footer of a screen. */
const COVERED = '-96px 0px -96px 0px'
/** Visible share of a line that counts as the whole line. */
const NEARLY_ALL = 0.9

type Visibility = Pick<IntersectionObserverEntry, 'intersectionRatio' | 'intersectionRect' | 'rootBounds'>

/** True if nearly the whole line is visible, or if the visible part of the line fills half of the screen. */
export const isInSight = ({ intersectionRatio, intersectionRect, rootBounds }: Visibility): boolean =>
  intersectionRatio >= NEARLY_ALL ||
  (intersectionRatio > 0 && rootBounds !== null && intersectionRect.height >= rootBounds.height / 2)

/** True once every line of the list has been visible. @param isWatched false stops watching */
export function useAllSeen(list: RefObject<HTMLElement | null>, isWatched: boolean): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const lines = [...(list.current?.children ?? [])]
    if (isSeen || !isWatched) return undefined
    const unseen = new Set<Element>(lines)
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!isInSight(entry)) continue
          unseen.delete(entry.target)
          observer.unobserve(entry.target)
        }
        if (unseen.size === 0) setSeen(true)
      },
      { rootMargin: COVERED, threshold: [0, 0.25, 0.5, 0.75, NEARLY_ALL] },
    )
    for (const line of lines) observer.observe(line)
    return () => observer.disconnect()
  }, [list, isSeen, isWatched])
  return isSeen
}
