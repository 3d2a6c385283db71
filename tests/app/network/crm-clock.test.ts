import { expect, test } from 'vitest'
import { createCrmClock } from '#app/network/crm-clock.ts'

const CRM = Date.parse('2026-11-20T12:00:00+09:00')
const DAY = 86_400_000
const BEHIND = CRM - DAY

test('[house 5] like readings are told once, until the last would run out', () => {
  let now = BEHIND
  const clock = createCrmClock(() => now)
  let told = 0
  clock.readings.subscribe(() => (told += 1))
  for (let minutes = 0; minutes < 130; minutes += 10) {
    now = BEHIND + minutes * 60_000
    clock.hear({ date: now + DAY, isCached: false, tookMs: 0 })
  }
  expect(told).toBe(2)
  expect(clock.readings.get()?.offMs).toBe(DAY + 500)
})

test('[spec 9] an answer that says nothing of the time leaves the last reading', () => {
  const clock = createCrmClock(() => BEHIND)
  clock.hear({ date: CRM, isCached: false, tookMs: 0 })
  const reading = clock.readings.get()
  clock.hear({ date: null, isCached: false, tookMs: 0 })
  clock.hear({ date: CRM - DAY, isCached: true, tookMs: 0 })
  expect(clock.readings.get()).toBe(reading)
})
