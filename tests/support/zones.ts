/** The zones a device may be set to: the site's, and two on the other side of the date line. */
import { afterEach, beforeEach } from 'vitest'

/** With what each is ahead of UTC in November, in minutes, as `Date` tells it. */
export const ZONES = [
  ['Asia/Tokyo', -540],
  ['America/New_York', 300],
  ['Pacific/Honolulu', 600],
] as const

/** Sets the device to a zone during each test of the block. @throws where this engine does not follow TZ */
export function deviceIn(zone: string, offset: number): void {
  const before = process.env['TZ']
  beforeEach(() => {
    process.env['TZ'] = zone
    if (new Date('2026-11-20T12:00:00Z').getTimezoneOffset() !== offset)
      throw new Error(`the engine is not in ${zone}`)
  })
  afterEach(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })
}
