import { useCallback, useState } from 'react'
import { createValueStore, type ValueStore } from '#lib/value-store.ts'

const UNDER_THE_BAR = '-60px 0px 0px'

/**
 * Detects when the board has scrolled out of view. Pass `ref` to Board and `stuck` to AppBar: only AppBar re-renders,
 * not a screen of a hundred rows during a scroll.
 */
export function useStuck(): {
  ref: (board: HTMLElement | null) => (() => void) | undefined
  stuck: ValueStore<boolean>
} {
  const [stuck] = useState(() => createValueStore(false))
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
