import { useCallback, useState } from 'react'
import { createFlag, type Flag } from '#lib/flag.ts'

const UNDER_THE_BAR = '-60px 0px 0px'

/**
 * Tells when the board has scrolled away: `ref` goes to Board, `stuck` to AppBar, which alone is drawn anew: a screen of a
 * hundred rows would be in the middle of a scroll.
 */
export function useStuck(): { ref: (board: HTMLElement | null) => (() => void) | undefined; stuck: Flag } {
  const [stuck] = useState(() => createFlag(false))
  const ref = useCallback(
    (board: HTMLElement | null) => {
      if (!board || typeof IntersectionObserver === 'undefined') return undefined
      const observer = new IntersectionObserver(
        (entries) => stuck.set(entries.at(-1)?.isIntersecting === false),
        { rootMargin: UNDER_THE_BAR },
      )
      observer.observe(board)
      return () => observer.disconnect()
    },
    [stuck],
  )
  return { ref, stuck }
}
