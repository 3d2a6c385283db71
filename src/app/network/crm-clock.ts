/** Follows the CRM's clock for screens on which users enter a time, and creates the device's own clock. */
import type { AnswerTime } from '#sync/transport/http.ts'
import { type ValueStore, createValueStore } from '#lib/value-store.ts'
import { readingOf, type ClockReading } from '#lib/time/crm-clock.ts'
import { createClock, type Clock } from '#lib/time/stamp.ts'

/** A new reading that differs by less is ignored, so that screens are not rendered again. */
const SAME_MS = 30_000
/** Any new reading replaces one that is older than this, so that no reading expires (`lib/time/crm-clock.ts`). */
const RENEW_MS = 3_600_000

export type CrmClock = ReturnType<typeof createCrmClock>

/** @param now returns epoch ms of the device's clock */
export function createCrmClock(now: () => number) {
  const readings = createValueStore<ClockReading | null>(null)
  return {
    readings: readings as ValueStore<ClockReading | null>,
    hear(answer: AnswerTime): void {
      const next = readingOf(answer, now())
      if (!next) return
      const last = readings.get()
      const isSame = last !== null && Math.abs(last.offMs - next.offMs) < SAME_MS
      if (!isSame || Math.abs(next.at - last.at) > RENEW_MS) readings.set(next)
    },
    /** Takes over a reading of another tab. Invalid numbers are ignored. */
    take(reading: ClockReading): void {
      if (Number.isFinite(reading.offMs) && Number.isFinite(reading.at)) readings.set(reading)
    },
  }
}

const [KEY, STAMP] = ['genba:device', 'genba:stamp']

/** Creates the clock that stamps changes. One clock serves all CRMs of the device, so that each stamp is unique. */
export function deviceClock(): Clock {
  const device = localStorage.getItem(KEY) ?? crypto.randomUUID().slice(0, 8)
  localStorage.setItem(KEY, device)
  return createClock({
    now: Date.now,
    device,
    memory: { get: () => localStorage.getItem(STAMP), set: (stamp) => localStorage.setItem(STAMP, stamp) },
  })
}
