import { useEffect, useState } from 'react'

/** True once `ms` milliseconds have passed since the component mounted. */
export function useLater(ms: number): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLater
}
