import { useCallback, useEffect, useState } from 'react'
import { correctionOf } from '#lib/time/crm-clock.ts'
import { tokyoToday } from '#lib/time/tokyo-time.ts'
import { useServices, useValue } from './app-context.tsx'

const MINUTE_MS = 60_000

/** Returns a clock in epoch ms for times that are registered: the device's time, corrected by the CRM's. */
export function useNow(): () => number {
  const { clock, crmClock } = useServices()
  return useCallback(() => clock.now() + correctionOf(crmClock.get(), clock.now()), [clock, crmClock])
}

/** The corrected time in epoch ms, updated every full minute. */
export const useMinute = (): number => useWallMinute() + useCorrectionNow()

/** The device's own time in epoch ms, updated every full minute. For ages of stamps that this device has made. */
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

/** The current correction of the device's clock in ms; re-renders when the CRM's time arrives. */
function useCorrectionNow(): number {
  const { clock, crmClock } = useServices()
  return correctionOf(useValue(crmClock), clock.now())
}

/** Milliseconds by which the CRM's clock is ahead of a wrong device clock; 0 if the device is right. */
export function useCorrection(): number {
  useMinute()
  return useCorrectionNow()
}

/** Today in Tokyo, `YYYY-MM-DD`; changes at midnight. */
export const useToday = () => tokyoToday(useMinute())

/**
 * The day in Tokyo on which a screen was opened, `YYYY-MM-DD`. A screen whose URL names no day chooses its visit by this
 * day, so that the visit does not change at midnight.
 * @param subject identifies the screen's subject; another subject starts over
 */
export function useDayOpened(subject: string): string {
  const { clock } = useServices()
  const [opened, setOpened] = useState(() => ({ subject, at: clock.now() }))
  const correction = useCorrectionNow()
  if (opened.subject !== subject) setOpened({ subject, at: clock.now() })
  return tokyoToday(opened.at + correction)
}
