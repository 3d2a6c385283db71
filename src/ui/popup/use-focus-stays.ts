import { useEffect } from 'react'

/**
 * Keeps the focus in the list when the focused row is removed: on the row that takes its place, else on the last row,
 * else on the main element. The browser would reset it to the top of the page.
 */
export function useFocusStays(): void {
  useEffect(() => {
    const main = document.querySelector('main')
    if (!main) return undefined
    const rows = () => [...main.querySelectorAll('li')]
    let focused: Element | null = null
    let at = -1
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      focused = target
      const row = target.closest('li')
      at = row ? rows().indexOf(row) : -1
    }
    const removed = () => {
      const isElsewhere = document.activeElement?.isConnected && document.activeElement !== document.body
      if (at < 0 || focused?.isConnected !== false || isElsewhere) return
      const left = rows()
      const next = left[Math.min(at, left.length - 1)] ?? main
      next.tabIndex = -1
      next.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(removed)
    observer.observe(main, { childList: true, subtree: true })
    main.addEventListener('focusin', note)
    return () => {
      observer.disconnect()
      main.removeEventListener('focusin', note)
    }
  }, [])
}
