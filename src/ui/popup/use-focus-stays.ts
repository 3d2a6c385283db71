import { useEffect } from 'react'

/** Moves the focus from a removed row to the row in its place, else the last row, else the main element. */
export function useFocusStays(): void {
  useEffect(() => {
    const main = document.querySelector('main')
    if (!main) return undefined
    const rows = () => [...main.querySelectorAll('li')]
    let focused: Element | null = null
    let rowIndex = -1
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      focused = target
      const row = target.closest('li')
      rowIndex = row ? rows().indexOf(row) : -1
    }
    const moveFocus = () => {
      const isElsewhere = document.activeElement?.isConnected && document.activeElement !== document.body
      if (rowIndex < 0 || focused?.isConnected !== false || isElsewhere) return
      const remaining = rows()
      const next = remaining[Math.min(rowIndex, remaining.length - 1)] ?? main
      next.tabIndex = -1
      next.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(moveFocus)
    observer.observe(main, { childList: true, subtree: true })
    main.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      main.removeEventListener('focusin', remember)
    }
  }, [])
}
