import { useCallback, useEffect, useState } from 'react'
import { correctionOf } from '#lib/time/crm-clock.ts'
import { tokyoToday } from '#lib/time/tokyo-time.ts'
import { useServices, useValue } from './app-context.tsx'

const MINUTE_MS = 60_000

/** Returns a clock in epoch ms for times that users register: the device's time, corrected by the CRM's clock. */
export function useNow(): () => number {
  const { clock, crmClock } = useServices()
  return useCallback(() => clock.now() + correctionOf(crmClock.get(), clock.now()), [clock, crmClock])
}

/** Returns the corrected time in epoch ms, updated every minute. */
export const useMinute = (): number => useWallMinute() + useCorrectionNow()

/** Returns the device's own time in epoch ms, updated every minute, to compute the age of stamps from this device. */
export function useWallMinute(): number {
  const { clock } = useServices()
  const now = useNow()
  const [time, setTime] = useState(() => clock.now())
  useEffect(() => {
    const timer = setTimeout(() => setTime(clock.now()), MINUTE_MS - (now() % MINUTE_MS))
    return () => clearTimeout(timer)
  }, [clock, now, time])
  return time
}

/** Returns the current correction in ms, and renders again when it changes. */
function useCorrectionNow(): number {
  const { clock, crmClock } = useServices()
  return correctionOf(useValue(crmClock), clock.now())
}

/** Returns the ms by which the CRM's clock is ahead; 0 if the device's clock is about right. */
export function useCorrection(): number {
  // Renders again every minute, because the correction depends on the time.
  useMinute()
  return useCorrectionNow()
}

/** Returns today in Tokyo, `YYYY-MM-DD`. */
export const useToday = () => tokyoToday(useMinute())

/**
 * Returns the day in Tokyo on which a screen was opened, `YYYY-MM-DD`. A screen without a day in its URL uses this day,
 * so that midnight does not change which visit is shown.
 * @param subject identifies the content of the screen; another subject reads the day again
 */
export function useDayOpened(subject: string): string {
  const { clock } = useServices()
  const [opened, setOpened] = useState(() => ({ subject, at: clock.now() }))
  const correction = useCorrectionNow()
  if (opened.subject !== subject) setOpened({ subject, at: clock.now() })
  return tokyoToday(opened.at + correction)
}
