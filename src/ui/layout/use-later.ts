import { useEffect, useState } from 'react'

/** Whether so much time has passed since it was first drawn. */
export function useLater(ms: number): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLater
}
