/** A draft expires after a day that the app has seen pass, even if the clock is set (EX3). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  dayOldBefore,
  afterTick,
  NO_MARKS,
  restoredMarks,
  afterAnswer,
  createTrustedClock,
} from '#sync/lib/trusted-clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2026-11-20T10:00:00+09:00')

type Step =
  | { does: 'run' | 'off' | 'set'; ms: number }
  | { does: 'restart' | 'answer' | 'touch' }
  /** The phone is switched off, and its clock is set before the app runs again. */
  | { does: 'off and set'; ms: number; by: number }

const hours = (min: number, max: number) =>
  fc.integer({ min: min * 60, max: max * 60 }).map((m) => m * 60_000)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constantFrom('run' as const, 'off' as const), ms: hours(0, 60) }),
  fc.record({ does: fc.constant('set' as const), ms: hours(-100, 100) }),
  fc.record({ does: fc.constant('off and set' as const), ms: hours(0, 100), by: hours(-100, 100) }),
  fc.record({ does: fc.constantFrom('restart' as const, 'answer' as const, 'touch' as const) }),
)

/** A phone with a true time, a clock that can be set, and drafts. */
function phone() {
  let [truly, off] = [NOW, 0]
  let marks = afterTick(NO_MARKS, 0, NOW)
  let typed: { stamp: number; at: number }[] = []
  const tooEarly: number[] = []
  const wall = () => truly + off
  function look(ms = 0) {
    marks = afterTick(marks, ms, wall())
    const before = dayOldBefore(marks)
    for (const { stamp, at } of typed) if (stamp < before && truly - at < DAY) tooEarly.push(truly - at)
    typed = typed.filter(({ stamp }) => stamp >= before)
  }
  function run(ms: number) {
    const pieces = Math.max(1, Math.ceil(ms / HOUR))
    for (let i = 0; i < pieces; i += 1) {
      truly += ms / pieces
      look(ms / pieces)
    }
  }
  const steps = {
    run,
    off: (ms: number, by = 0) => {
      truly += ms
      off += by
      look()
    },
    answer: () => {
      marks = afterAnswer(marks, wall(), truly)
      look()
    },
    touch: () => void typed.push({ stamp: wall(), at: truly }),
    go: (one: Step) => {
      if (one.does === 'run') run(one.ms)
      else if (one.does === 'off') steps.off(one.ms)
      else if (one.does === 'off and set') steps.off(one.ms, one.by)
      else if (one.does === 'set') steps.off(0, one.ms)
      else if (one.does === 'restart') marks = restoredMarks(JSON.stringify({ marks }))
      else steps[one.does]()
    },
  }
  return { ...steps, tooEarly, typed: () => typed, marks: () => marks }
}

describe('[EX3b] the law of drafts', () => {
  test('nothing that was typed less than 24 true hours ago is given up', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const device = phone()
        for (const one of steps) device.go(one)
        expect(device.tooEarly).toEqual([])
      }),
      { numRuns: 3_000 },
    )
  })

  test('[EX1] where the CRM says the time, and nobody sets the clock any more, all of it goes after two days', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const device = phone()
        for (const one of steps) device.go(one)
        // a draft stamped in the future expires after that time has passed
        device.off(9_000 * HOUR)
        device.answer()
        device.off(DAY + 1)
        device.answer()
        expect(device.typed()).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  test.each<[string, (device: ReturnType<typeof phone>) => void]>([
    [
      'running alone, over any number of starts',
      (device) => {
        for (let day = 0; day < 5; day += 1) {
          device.run(6 * HOUR)
          device.off(18 * HOUR)
          device.go({ does: 'restart' })
        }
      },
    ],
    [
      'the answers of the next day',
      (device) => {
        device.answer()
        device.off(DAY + 1)
        device.answer()
      },
    ],
    [
      'a week of answers, one in an hour',
      (device) => {
        for (let hour = 0; hour < 28; hour += 1) {
          device.answer()
          device.off(HOUR)
        }
        device.answer()
      },
    ],
    [
      'the answers of the next day, when it was typed between two of this one',
      (device) => {
        device.answer()
        device.off(DAY - 10 * 60_000)
        device.answer()
        device.off(20 * 60_000)
        device.answer()
      },
    ],
  ])('[EX1] a clock that nobody sets: it goes after %s', (_, pass) => {
    const device = phone()
    device.answer()
    device.off(10 * 60_000)
    device.touch()
    device.run(60_000)
    pass(device)
    expect(device.typed()).toEqual([])
  })

  test('a few marks are kept, not one of each look', () => {
    const device = phone()
    for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
      device.run(60_000)
      device.answer()
    }
    const { ran, dated } = device.marks()
    expect([ran.length <= 27, dated.length <= 27]).toEqual([true, true])
  })
})

describe('[EX3] what is kept over the runs', () => {
  test.each([
    null,
    '',
    '{',
    'null',
    '{}',
    '{"marks":{"run":1,"ran":[{}],"dated":[]}}',
    '{"marks":{"ran":[],"dated":[]}}',
  ])('%j is not believed', (text) => expect(restoredMarks(text)).toEqual(NO_MARKS))

  test('the keeper keeps them, also where only the wall clock has moved', () => {
    const device = { wall: NOW, ran: 0, kept: null as string | null }
    const start = () =>
      createTrustedClock({
        wall: () => device.wall,
        monotonic: () => device.ran,
        memory: { get: () => device.kept, set: (text) => void (device.kept = text) },
      })
    const first = start()
    first.answered(NOW)
    first.expiryNow()
    device.wall -= 4 * DAY
    first.expiryNow()
    device.wall += 4 * DAY
    device.ran = 0
    const next = start()
    next.answered(NOW + DAY + HOUR)
    // a draft stamped by the clock of four days ago is not yet a day old
    expect(next.dayOldBefore()).toBeLessThanOrEqual(NOW - 4 * DAY)
  })
})
