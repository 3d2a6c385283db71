import { useState } from 'react'

/** Each is read from the device or fetched from the file store, and decoded. */
const AT_ONCE = 30

/** The first of many photos, and more of them when they are asked for. */
export function useShownFirst<T>(photos: readonly T[]) {
  const [most, setMost] = useState(AT_ONCE)
  return {
    shown: photos.slice(0, most),
    /** How many there are more. */
    rest: Math.max(0, photos.length - most),
    more: () => setMost(most + AT_ONCE),
  }
}
