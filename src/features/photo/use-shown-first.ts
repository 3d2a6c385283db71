import { useState } from 'react'

/** Number of photos shown at first. Each one has to be read or fetched, and decoded. */
const AT_ONCE = 30

/** Shows the first of many photos, and more on request. */
export function useShownFirst<T>(photos: readonly T[]) {
  const [most, setMost] = useState(AT_ONCE)
  return {
    shown: photos.slice(0, most),
    /** Number of photos not shown. */
    rest: Math.max(0, photos.length - most),
    more: () => setMost(most + AT_ONCE),
  }
}
