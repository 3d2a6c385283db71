import { useSyncExternalStore } from 'react'

const WIDE = '(min-width: 900px)'

/** True from 900 CSS px, where rail, list and view stand side by side. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, isWide, () => false)
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

function isWide(): boolean {
  return matchMedia(WIDE).matches
}
