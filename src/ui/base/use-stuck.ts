import { useCallback, useState } from 'react'
import { createValueStore, type ValueStore } from '#lib/value-store.ts'

/** Root margin that excludes the area behind the app bar. */
const BELOW_APP_BAR = '-60px 0px 0px'

/**
 * Detects that the RequestBoard at the top of a screen has scrolled out of view. RequestBoard takes `ref`, and AppBar
 * takes `stuck`. `stuck` is a store, so that scrolling re-renders only AppBar instead of the whole screen.
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
        { rootMargin: BELOW_APP_BAR },
      )
      observer.observe(board)
      return () => observer.disconnect()
    },
    [stuck],
  )
  return { ref, stuck }
}
