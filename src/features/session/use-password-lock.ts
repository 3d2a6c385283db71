import { useEffect, useState } from 'react'
import { PASSWORD_LOCK_MS } from '#schemas/limits.ts'

/** True for the first moments of the page: a key still held from the page before types nothing (spec 9). */
export function usePasswordLock(): boolean {
  const [locked, setLocked] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setLocked(false), PASSWORD_LOCK_MS)
    return () => clearTimeout(timer)
  }, [])
  return locked
}
