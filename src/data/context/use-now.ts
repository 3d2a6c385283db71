import { useCallback, useEffect, useState } from 'react'
import { correctionOf } from '#lib/time/crm-clock.ts'
import { tokyoToday } from '#lib/time/tokyo-time.ts'
import { useServices, useValue } from './app-context.tsx'

const MINUTE_MS = 60_000

/** The time by which things are registered, in epoch milliseconds: the device's, or the CRM's where the device is wrong. */
export function useNow(): () => number {
  const { clock, crmClock } = useServices()
  return useCallback(() => clock.now() + correctionOf(crmClock.get(), clock.now()), [clock, crmClock])
}

/** That time, told anew at every full minute. */
export const useMinute = (): number => useWallMinute() + useCorrectionNow()

/** The device's own time in epoch milliseconds, told anew at every full minute: what this device has stamped is as old by it. */
export function useWallMinute(): number {
  const { clock } = useServices()
  const now = useNow()
  const [at, setAt] = useState(() => clock.now())
  useEffect(() => {
    const timer = setTimeout(() => setAt(clock.now()), MINUTE_MS - (now() % MINUTE_MS))
    return () => clearTimeout(timer)
  }, [clock, now, at])
  return at
}

/** The correction now, drawn anew when the CRM has told its time. */
function useCorrectionNow(): number {
  const { clock, crmClock } = useServices()
  return correctionOf(useValue(crmClock), clock.now())
}

/** By how many milliseconds the CRM's clock is ahead of a device that is set wrong; 0 where it is right. */
export function useCorrection(): number {
  useMinute()
  return useCorrectionNow()
}

/** The day it is in Tokyo, `YYYY-MM-DD`; changes at midnight. */
export const useToday = () => tokyoToday(useMinute())

/**
 * The day it was when a screen opened, `YYYY-MM-DD`: where the address names none it says which visit is shown, and that
 * one stays under the hands at midnight.
 * @param of what the screen is about: another one is opened anew
 */
export function useDayOpened(of: string): string {
  const { clock } = useServices()
  const [opened, setOpened] = useState(() => ({ of, at: clock.now() }))
  const correction = useCorrectionNow()
  if (opened.of !== of) setOpened({ of, at: clock.now() })
  return tokyoToday(opened.at + correction)
}
