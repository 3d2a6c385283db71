/** Hears the CRM's time in its answers, for the screens that register a time. */
import type { ValueStore } from '#data/app-context.tsx'
import { readingOf, type ClockReading } from '#lib/crm-clock.ts'
import { createValueStore } from './value-store.ts'

/** Readings that differ by less are the same: screens are not drawn anew for them. */
const SAME_MS = 30_000
/** So old a reading is replaced by a like one, so that it does not run out. */
const RENEW_MS = 3_600_000

export interface CrmClock {
  readings: ValueStore<ClockReading | null>
  /** A `fetch` that reads the time in the answers of the API. */
  listen(fetch: typeof globalThis.fetch): typeof globalThis.fetch
}

/**
 * @param endpoint tells the base of the API: other servers need not know the CRM's time
 * @param now epoch milliseconds by the device's clock
 */
export function createCrmClock(endpoint: () => string, now: () => number): CrmClock {
  const readings = createValueStore<ClockReading | null>(null)
  const hear = (next: ClockReading) => {
    const last = readings.get()
    const isSame = last !== null && Math.abs(last.offMs - next.offMs) < SAME_MS
    if (!isSame || Math.abs(next.at - last.at) > RENEW_MS) readings.set(next)
  }
  return {
    readings,
    listen: (fetch) => async (input, init) => {
      const began = now()
      const response = await fetch(input, init)
      const url = input instanceof Request ? input.url : String(input)
      if (isOf(endpoint(), url)) {
        const [date, age] = [response.headers.get('date'), response.headers.get('age')]
        const reading = readingOf({ date, age, began, ended: now() })
        if (reading) hear(reading)
      }
      return response
    },
  }
}

/** Whether an address is below the base, which may be a path of this origin. */
function isOf(endpoint: string, url: string): boolean {
  const here = typeof location === 'undefined' ? undefined : location.origin
  const base = new URL(endpoint, here)
  const asked = new URL(url, here)
  return asked.origin === base.origin && asked.pathname.startsWith(`${base.pathname}/`)
}
