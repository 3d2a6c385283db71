import { useEffect, useState } from 'react'
import type { LockControl } from '#data/app-context.tsx'

const MINUTE_MS = 60_000
const LOOKED_EVERY_MS = 5_000

/** Whole minutes until a password may be tried again; 0: now. */
export function useLockWait(control: Pick<LockControl, 'wait'>): { minutes: number; look: () => void } {
  const minutesNow = () => Math.ceil(control.wait() / MINUTE_MS)
  const [minutes, setMinutes] = useState(minutesNow)
  const look = () => setMinutes(minutesNow())
  useEffect(() => {
    if (minutes === 0) return undefined
    const timer = setInterval(() => setMinutes(Math.ceil(control.wait() / MINUTE_MS)), LOOKED_EVERY_MS)
    return () => clearInterval(timer)
  }, [control, minutes])
  return { minutes, look }
}
