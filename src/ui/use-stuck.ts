import { useCallback, useState } from 'react'

const UNDER_THE_BAR = '-60px 0px 0px'

/** Tells when the board has scrolled away: `ref` goes to Board, `stuck` to AppBar. */
export function useStuck(): { ref: (board: HTMLElement | null) => (() => void) | undefined; stuck: boolean } {
  const [stuck, setStuck] = useState(false)
  const ref = useCallback((board: HTMLElement | null) => {
    if (!board || typeof IntersectionObserver === 'undefined') return undefined
    const observer = new IntersectionObserver(
      (entries) => setStuck(entries.at(-1)?.isIntersecting === false),
      { rootMargin: UNDER_THE_BAR },
    )
    observer.observe(board)
    return () => observer.disconnect()
  }, [])
  return { ref, stuck }
}
