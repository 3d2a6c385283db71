import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHANGE_STAMP_MAX } from '#schemas/change.ts'
import { createClock } from '#lib/time/stamp.ts'

const NOW = Date.parse('2026-11-20T01:00:00Z')
const DAY = 86_400_000

/** A phone: its wall clock, and the storage that all tabs and all starts of the app share. */
function newPhone(now = NOW) {
  const phone = { now, kept: null as string | null }
  const memory = { get: () => phone.kept, set: (stamp: string) => void (phone.kept = stamp) }
  const start = (device = 'phone1') => createClock({ now: () => phone.now, device, memory })
  return Object.assign(phone, { start })
}
const isRising = (stamps: readonly string[]) =>
  stamps.every((stamp, i) => i === 0 || stamp > (stamps[i - 1] ?? ''))

describe('[OR1] stamps rise in the order of saving', () => {
  test('within one millisecond', () => {
    const clock = newPhone().start()
    expect(isRising(Array.from({ length: 50 }, () => clock.stamp()))).toBe(true)
  })

  test('over more saves than the counter holds', () => {
    const phone = newPhone()
    phone.kept = `${NOW}-zzzy-phone1`
    const clock = phone.start()
    const stamps = [phone.kept, clock.stamp(), clock.stamp(), clock.stamp()]
    expect(isRising(stamps)).toBe(true)
    expect(new Set(stamps.map((stamp) => stamp.length)).size).toBe(1)
  })

  test('[trap 3] with the clock set back a day', () => {
    const phone = newPhone()
    const clock = phone.start()
    const before = clock.stamp()
    phone.now -= DAY
    expect(isRising([before, clock.stamp(), clock.stamp()])).toBe(true)
    expect(clock.now()).toBe(NOW - DAY)
  })

  test('[trap 3] with the clock set back and the app started again', () => {
    const phone = newPhone()
    const before = phone.start().stamp()
    phone.now -= DAY
    expect(phone.start().stamp() > before).toBe(true)
  })

  test('over two tabs that share the memory', () => {
    const phone = newPhone()
    const [one, two] = [phone.start('tab1'), phone.start('tab2')]
    expect(isRising([one.stamp(), two.stamp(), one.stamp(), two.stamp(), two.stamp()])).toBe(true)
  })

  test('after a stamp from elsewhere was seen, also where the memory was emptied', () => {
    const phone = newPhone()
    const ahead = newPhone(NOW + DAY)
      .start('phone2')
      .stamp()
    const clock = phone.start()
    clock.observe(ahead)
    phone.kept = null
    expect(clock.stamp() > ahead).toBe(true)
  })

  test('an older stamp that is seen sets nothing back', () => {
    const clock = newPhone().start()
    const before = clock.stamp()
    clock.observe(
      newPhone(NOW - DAY)
        .start('phone2')
        .stamp(),
    )
    expect(clock.stamp() > before).toBe(true)
  })
})

test.each(['', 'garbage', '-', 'NaN-0000-x'])('a memory that holds %j starts at the wall clock', (kept) => {
  const phone = newPhone()
  phone.kept = kept
  expect(phone.start().stamp().startsWith(`${NOW}-0000-`)).toBe(true)
})

test('a stamp fits the field that holds it', () => {
  expect(newPhone().start('x'.repeat(20)).stamp().length).toBeLessThanOrEqual(CHANGE_STAMP_MAX)
})

test('[OR1] whatever the clock, the restarts and the tabs do, a later save has a greater stamp', () => {
  const step = fc.oneof(
    fc.constant({ kind: 'save' as const }),
    fc.constant({ kind: 'restart' as const }),
    fc.constant({ kind: 'otherTab' as const }),
    fc.record({ kind: fc.constant('clock' as const), by: fc.integer({ min: -3 * DAY, max: 3 * DAY }) }),
    fc.record({ kind: fc.constant('observe' as const), at: fc.integer({ min: NOW - DAY, max: NOW + DAY }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const phone = newPhone()
      const tabs = [phone.start('tab1'), phone.start('tab2')]
      let tab = 0
      const stamps: string[] = []
      for (const one of steps) {
        if (one.kind === 'clock') phone.now += one.by
        else if (one.kind === 'restart') tabs[tab] = phone.start(`tab${tab + 1}`)
        else if (one.kind === 'otherTab') tab = 1 - tab
        else if (one.kind === 'observe') tabs[tab]?.observe(newPhone(one.at).start('elsewhere').stamp())
        stamps.push(tabs[tab]?.stamp() ?? '')
      }
      expect(isRising(stamps)).toBe(true)
    }),
  )
})
