/** The CRM's time by its answers, for screens that register a time. */
import type { AnswerTime } from '#sync/transport/http.ts'
import { type ValueStore, createValueStore } from '#lib/value-store.ts'
import { readingOf, type ClockReading } from '#lib/time/crm-clock.ts'
import { createClock, type Clock } from '#lib/time/stamp.ts'

/** Readings that differ by less count as the same, so that screens are not rendered again. */
const SAME_MS = 30_000
/** A reading older than this is replaced even by one that counts as the same, so that it does not expire. */
const RENEW_MS = 3_600_000

export interface CrmClock {
  readings: ValueStore<ClockReading | null>
  /** Takes the time of an answer that has just arrived. */
  hear(answer: AnswerTime): void
  /** Takes a reading of another tab. */
  take(reading: ClockReading): void
}

/** @param now epoch milliseconds by the device's clock */
export function createCrmClock(now: () => number): CrmClock {
  const readings = createValueStore<ClockReading | null>(null)
  return {
    readings,
    hear(answer) {
      const next = readingOf(answer, now())
      if (!next) return
      const last = readings.get()
      const isSame = last !== null && Math.abs(last.offMs - next.offMs) < SAME_MS
      if (!isSame || Math.abs(next.at - last.at) > RENEW_MS) readings.set(next)
    },
    take(reading) {
      if (Number.isFinite(reading.offMs) && Number.isFinite(reading.at)) readings.set(reading)
    },
  }
}

/** The clock of this device, shared by its CRMs: each stamp is unique. */

const [KEY, STAMP] = ['genba:device', 'genba:stamp']

export function deviceClock(): Clock {
  const device = localStorage.getItem(KEY) ?? crypto.randomUUID().slice(0, 8)
  localStorage.setItem(KEY, device)
  return createClock({
    now: Date.now,
    device,
    memory: { get: () => localStorage.getItem(STAMP), set: (stamp) => localStorage.setItem(STAMP, stamp) },
  })
}
