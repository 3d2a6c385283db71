import { useCallback, useState } from 'react'
import { createValueStore } from '#lib/value-store.ts'

const BELOW_APP_BAR = '-60px 0px 0px'

/** `stuck` is true while RequestBoard (`ref`) is out of view. It is a store, so that only AppBar renders again. */
export function useStuck() {
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
