import { useEffect, useState } from 'react'
import { tokyoToday } from '#lib/tokyo-time.ts'
import { useServices } from './app-context.tsx'

const MINUTE_MS = 60_000

/** The wall clock in epoch milliseconds, told anew at every full minute. */
export function useMinute(): number {
  const { clock } = useServices()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    const timer = setTimeout(() => setNow(clock.now()), MINUTE_MS - (clock.now() % MINUTE_MS))
    return () => clearTimeout(timer)
  }, [clock, now])
  return now
}

/** The day it is in Tokyo, `YYYY-MM-DD`; changes at midnight. */
export const useToday = () => tokyoToday(useMinute())
