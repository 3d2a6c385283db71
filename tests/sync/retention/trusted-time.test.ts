/** CRM data expires after a day of true time, whatever the device's clock says (EX3). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createTrustedClock,
  answered,
  ran,
  restored,
  startingAt,
  CLOCK_ERROR_MS,
  type TrustedTime,
} from '#sync/lib/trusted-clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2026-11-20T10:00:00+09:00')

/**
 * As `request-removals.ts` decides by its queries. Decides about data that the CRM confirmed at `confirmedAt`: `over` after a day; `undated` if a wrong clock
 * stamped it, so its age is unknown and its day begins now.
 */
function fateOf(confirmedAt: number, time: TrustedTime, wall: number): 'kept' | 'over' | 'undated' {
  if (confirmedAt < time.now - DAY) return 'over'
  return confirmedAt > Math.max(time.now, wall) + CLOCK_ERROR_MS ? 'undated' : 'kept'
}

type Step =
  | { does: 'run' | 'off'; ms: number }
  | { does: 'set'; by: number }
  | { does: 'restart' }
  | { does: 'confirm'; dated: boolean }

const hours = (min: number, max: number) =>
  fc.integer({ min: min * 60, max: max * 60 }).map((m) => m * 60_000)
const step = fc.oneof(
  fc.record({ does: fc.constantFrom('run' as const, 'off' as const), ms: hours(0, 60) }),
  fc.record({ does: fc.constant('set' as const), by: hours(-100, 100) }),
  fc.record({ does: fc.constant('restart' as const) }),
)
const confirmed = (dated: fc.Arbitrary<boolean>) =>
  fc.record({ does: fc.constant('confirm' as const), dated })

/** A phone with a true time, a clock that can be set, and CRM data. */
function phone() {
  let [truly, off] = [NOW, 0]
  let time = startingAt(NOW)
  let held: { stamp: number; at: number }[] = []
  const wall = () => truly + off
  const tooEarly: number[] = []
  const clean = () => {
    held = held.flatMap((one) => {
      const fate = fateOf(one.stamp, time, wall())
      if (fate === 'over' && truly - one.at < DAY) tooEarly.push(truly - one.at)
      return fate === 'over' ? [] : [fate === 'undated' ? { ...one, stamp: Math.max(time.now, wall()) } : one]
    })
  }
  /** Lets time pass in steps of a minute, like the app's timer. */
  function run(ms: number) {
    const pieces = Math.max(1, Math.ceil(ms / HOUR))
    for (let i = 0; i < pieces; i += 1) {
      truly += ms / pieces
      time = ran(time, ms / pieces, wall())
      clean()
    }
  }
  const steps = {
    run,
    off: (ms: number) => {
      truly += ms
      time = ran(time, 0, wall())
      clean()
    },
    set: (by: number) => {
      off += by
      time = ran(time, 0, wall())
      clean()
    },
    restart: () => {
      time = ran(restored(JSON.stringify(time), wall()), 0, wall())
      clean()
    },
    answer: (dated: boolean) => {
      time = answered(time, wall(), dated ? truly : null)
      clean()
    },
    confirm: (dated: boolean) => {
      steps.answer(dated)
      held.push({ stamp: wall(), at: truly })
    },
    go: (one: Step) => {
      if (one.does === 'set') steps.set(one.by)
      else if (one.does === 'confirm') steps.confirm(one.dated)
      else if (one.does === 'restart') steps.restart()
      else steps[one.does](one.ms)
    },
  }
  return { ...steps, tooEarly, held: () => held, time: () => time }
}

describe('[EX3] the law of expiry', () => {
  test('nothing that was confirmed less than 24 true hours ago is over', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(step, confirmed(fc.boolean())), { maxLength: 40 }), (steps) => {
        const device = phone()
        for (const one of steps) device.go(one)
        expect(device.tooEarly).toEqual([])
      }),
      { numRuns: 3_000 },
    )
  })
  test('once the CRM says the time, and nobody sets the clock any more, nothing older than 48 hours is left', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(step, confirmed(fc.constant(true))), { maxLength: 40 }),
        hours(0, 3),
        (steps, more) => {
          const device = phone()
          for (const one of steps) device.go(one)
          device.answer(true)
          device.off(DAY + more)
          device.answer(true)
          device.off(DAY + HOUR)
          device.answer(true)
          expect(device.held()).toEqual([])
          expect(device.tooEarly).toEqual([])
        },
      ),
      { numRuns: 3_000 },
    )
  })
  test('where the clock was never set, it is over at the first answer after 24 hours', () => {
    const device = phone()
    device.confirm(true)
    device.run(9 * HOUR)
    device.off(15 * HOUR + 1)
    expect(device.held()).toHaveLength(1)
    device.answer(true)
    expect(device.held()).toEqual([])
  })
  test('without an answer 24 hours of running are enough, over any number of starts', () => {
    const device = phone()
    device.confirm(false)
    for (let day = 0; day < 4; day += 1) {
      device.run(6 * HOUR + 1)
      device.off(18 * HOUR)
      device.restart()
    }
    expect(device.held()).toEqual([])
  })
  test('a clock set back ten years keeps nothing for ever', () => {
    const device = phone()
    device.confirm(true)
    device.set(-10 * 365 * DAY)
    device.run(DAY + 1)
    expect(device.held()).toEqual([])
  })
  test('what a clock ten years ahead stamped goes a day after it was set right', () => {
    const device = phone()
    device.set(10 * 365 * DAY)
    device.confirm(true)
    device.set(-10 * 365 * DAY)
    expect(device.held()).toHaveLength(1)
    device.off(DAY + 1)
    device.answer(true)
    expect(device.held()).toEqual([])
  })
})

describe('[EX3] what is kept over the runs', () => {
  test.each([null, '', '{', 'null', '{"now":"1"}', '{"now":1,"crmTime":{},"since":1,"lead":0}'])(
    '%j is not believed',
    (text) => expect(restored(text, NOW)).toEqual(startingAt(NOW)),
  )
})

describe('[EX3] the keeper', () => {
  function keeper() {
    const device = { wall: NOW, ran: 0, kept: null as string | null, writes: 0 }
    const start = () =>
      createTrustedClock({
        wall: () => device.wall,
        monotonic: () => device.ran,
        memory: {
          get: () => device.kept,
          set: (text) => {
            device.kept = text
            device.writes += 1
          },
        },
      })
    return { device, start }
  }
  test('a jump while it runs changes nothing, and the clock may come back', () => {
    const { device, start } = keeper()
    const time = start()
    time.answered(NOW)
    device.wall += 3 * DAY
    expect(time.expiryNow()).toBe(NOW)
    device.wall -= 3 * DAY
    device.ran += HOUR
    expect(time.expiryNow()).toBe(NOW + HOUR)
  })
  test('three days off are known as soon as the CRM says so, not by a clock alone', () => {
    const { device, start } = keeper()
    start().answered(NOW)
    device.wall += 3 * DAY
    device.ran = 5
    const time = start()
    expect(time.expiryNow()).toBe(NOW)
    expect(time.isInDoubt()).toBe(true)
    time.answered(NOW + 3 * DAY)
    expect(time.expiryNow()).toBe(NOW + 3 * DAY)
    expect(time.isInDoubt()).toBe(false)
  })
  test('[EX2] what was saved is as old as is borne out; where the CRM says no time, as old as the clock says', () => {
    const { device, start } = keeper()
    const time = start()
    device.wall += 3 * DAY
    expect(time.saveNow()).toBe(NOW)
    time.answered(null)
    expect(time.saveNow()).toBe(NOW + 3 * DAY)
    device.wall = NOW - 3 * DAY
    expect(time.saveNow()).toBe(NOW - 3 * DAY)
  })
  test('what was run is kept, not at every look', () => {
    const { device, start } = keeper()
    const time = start()
    for (let i = 0; i < 1_000; i += 1) {
      device.ran += 100
      time.expiryNow()
    }
    expect(device.writes).toBeLessThan(6)
    device.ran = 0
    expect(start().expiryNow()).toBeGreaterThan(NOW + 60_000)
  })
  test('a full storage is no failure', () => {
    const time = createTrustedClock({
      wall: () => NOW,
      monotonic: () => 0,
      memory: {
        get: () => null,
        set: () => {
          throw new DOMException('full', 'QuotaExceededError')
        },
      },
    })
    expect(() => time.answered(NOW)).not.toThrow()
  })
})

test('[EX3] two CRMs whose clocks differ answer in turns: no time passes by that', () => {
  let time = answered(startingAt(NOW), NOW + DAY, NOW)
  for (let times = 0; times < 10; times += 1)
    for (const date of [NOW - HOUR, NOW]) time = answered(time, NOW + DAY, date)
  expect([time.now, time.crmTime]).toEqual([NOW, NOW])
})
