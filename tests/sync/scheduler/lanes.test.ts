/** How long calls of a lane wait, why, and which goes first: the value of `schedule.ts`, step by step. */
import { describe, expect, test } from 'vitest'
import {
  mayHurry,
  nextAt,
  RANKS,
  whyCallWaits,
  whyMostUrgent,
  type LaneEvent,
} from '#sync/scheduler/schedule.ts'
import { steppedSchedule } from '../../support/scheduler.ts'

type Stepped = ReturnType<typeof steppedSchedule>

function oneLane(rank: keyof typeof RANKS = 'pull', random = 0): Stepped {
  const stepped = steppedSchedule(() => random)
  stepped.open('a', RANKS[rank])
  return stepped
}
const succeeded: LaneEvent = { kind: 'succeeded' }
const freed: LaneEvent = { kind: 'freed' }

/** The API is down for this many calls, then answers. */
function outage(stepped: Stepped, failures = 2) {
  for (let n = 0; n < failures; n += 1) {
    stepped.pass(Math.max(0, stepped.schedule.circuit.notBefore - stepped.now))
    stepped.call({ kind: 'failed' })
  }
  stepped.pass(stepped.schedule.circuit.notBefore - stepped.now)
  stepped.call({ kind: 'useful' })
}

describe('[OC4] after a failure', () => {
  test('a call waits 500 ms, then twice as long each time, until a success', () => {
    const a = oneLane()
    for (const ms of [500, 1_000, 2_000, 4_000]) {
      a.failed('a')
      expect(a.why('a')).toEqual({ reason: 'back-off', until: a.now + ms })
      a.admitted.length = 0
      a.arrive('call', { lane: 'a' })
      a.pass(ms - 1)
      expect(a.admitted).toEqual([])
      a.pass(1)
      expect(a.admitted).toEqual(['call'])
    }
    a.lane('a', succeeded)
    expect(a.waits('a')).toBe(0)
    a.failed('a')
    expect(a.waits('a')).toBe(500)
  })

  test.each<[string, (a: Stepped) => void, number]>([
    ['Retry-After is waited for', (a) => a.failed('a', 7_000), 7_000],
    ['15 minutes of it', (a) => a.failed('a', 10_000_000), 900_000],
    [
      'calls that failed beside each other are one failure',
      (a) => [1_000, 1].forEach((ms) => a.failed('a', 0, a.now - ms)),
      500,
    ],
    [
      'a call that began at the last failure is another',
      (a) => [1, 0].forEach((ms) => a.failed('a', 0, a.now - ms)),
      1_000,
    ],
    ['the first counts, whenever it began', (a) => a.failed('a', 0, 0), 500],
    [
      'one that is not counted may bring a Retry-After',
      (a) => [0, 7_000].forEach((ms) => a.failed('a', ms, ms ? 1 : a.now)),
      7_000,
    ],
    [
      'and shortens none',
      (a) => [7_000, 2_000].forEach((ms) => a.failed('a', ms, ms === 2_000 ? 1 : a.now)),
      7_000,
    ],
    ['today’s wait ends by the user’s request', (a) => [a.failed('a'), a.lane('a', freed)], 0],
    [
      'and the next one is short again',
      (a) => [a.failed('a'), a.failed('a'), a.lane('a', freed), a.failed('a')],
      500,
    ],
    [
      'a success does not make an old failure count',
      (a) => [a.failed('a'), a.lane('a', succeeded), a.failed('a', 0, a.now - 1)],
      0,
    ],
  ])('%s', (_, happens, ms) => {
    const a = oneLane()
    happens(a)
    expect(a.waits('a')).toBe(ms)
  })

  test('a late failure leaves the count of the others', () => {
    const a = oneLane()
    a.failed('a')
    a.failed('a', 0, 1)
    a.pass(500)
    a.failed('a')
    expect(a.waits('a')).toBe(1_000)
  })

  test('only its own lane waits', () => {
    const a = oneLane()
    a.open('b')
    a.failed('a')
    expect(a.waits('b')).toBe(0)
  })
})

describe('[OC4][OC5] offline or without a session', () => {
  test.each([
    ['offline', { isOnline: false, hasSession: true }],
    ['session', { isOnline: true, hasSession: false }],
  ] as const)('%s: nothing begins until that has changed, and no timer runs', (reason, signals) => {
    const a = oneLane()
    a.failed('a')
    a.lane('a', { kind: 'signals', ...signals })
    a.arrive('call', { lane: 'a' })
    a.lane('a', freed)
    expect([a.why('a')?.reason, nextAt(a.schedule, a.now)]).toEqual([reason, Infinity])
    expect(a.admitted).toEqual([])
    a.lane('a', { kind: 'signals', isOnline: true, hasSession: true })
    expect(a.admitted).toEqual(['call'])
  })

  test('a lane is closed before its first signals', () => {
    const a = steppedSchedule()
    a.lane('a', { kind: 'opened', rank: RANKS.pull })
    expect(a.why('a')?.reason).toBe('session')
  })
})

describe('[PL10] after a long outage', () => {
  test('reads wait at random up to a minute and a half, what is unsent does not', () => {
    const a = oneLane('pull', 0.5)
    a.open('push', RANKS.push)
    outage(a, 8)
    expect(a.why('a')).toEqual({ reason: 'eased', until: a.now + 45_000 })
    expect(a.waits('push')).toBe(0)
    a.lane('a', succeeded)
    expect(a.waits('a')).toBe(45_000)
    a.lane('a', freed)
    expect(a.waits('a')).toBe(0)
  })

  test('a waiting call begins then', () => {
    const a = oneLane('pull', 0.5)
    a.failed('a', 600_000)
    a.arrive('call', { lane: 'a' })
    outage(a, 8)
    a.pass(44_999)
    expect(a.admitted).toEqual([])
    a.pass(1)
    expect(a.admitted).toEqual(['call'])
  })

  test('one call that failed is no outage: a lane waits on', () => {
    const a = oneLane()
    a.failed('a', 600_000)
    outage(a, 1)
    expect(a.waits('a')).toBeGreaterThan(0)
    outage(a, 2)
    expect(a.waits('a')).toBe(0)
    a.failed('a')
    expect(a.waits('a')).toBe(500)
  })

  test('[OC4a][FL1] it ends a lane’s wait once: others’ answers leave a lane its back-off whose own calls all fail', () => {
    const a = oneLane('push')
    for (let n = 0; n < 6; n += 1) a.failed('a', 60_000)
    outage(a)
    expect(a.waits('a')).toBe(0)
    for (const ms of [500, 1_000, 2_000, 4_000]) {
      a.pass(60_000)
      a.failed('a', 60_000 + ms)
      outage(a)
      expect(a.waits('a')).toBeGreaterThan(50_000)
    }
    a.lane('a', succeeded)
    a.failed('a', 60_000)
    outage(a)
    expect(a.waits('a')).toBe(0)
  })

  test('an outage in which nothing of a lane failed is not the one that ends its wait', () => {
    const a = oneLane('push')
    outage(a)
    a.failed('a', 60_000)
    outage(a)
    expect(a.waits('a')).toBe(0)
  })
})

describe('[PL9] what a person waits for', () => {
  const hurry = (a: Stepped) => {
    const may = mayHurry(a.schedule, 'a', a.now)
    if (may) a.lane('a', { kind: 'hurried' })
    return may
  }

  test('leaves once in each back-off', () => {
    const a = oneLane()
    a.failed('a')
    expect([hurry(a), hurry(a)]).toEqual([true, false])
    a.failed('a')
    expect(hurry(a)).toBe(false)
    a.pass(1_000)
    a.arrive('call', { lane: 'a' })
    a.failed('a')
    expect([hurry(a), hurry(a)]).toEqual([true, false])
  })

  test('leaves as often as it likes where nothing waits', () => {
    const a = oneLane()
    expect([hurry(a), hurry(a)]).toEqual([true, true])
    a.failed('a')
    expect(hurry(a)).toBe(false)
    a.pass(499)
    expect(hurry(a)).toBe(false)
    a.pass(1)
    expect([hurry(a), hurry(a)]).toEqual([true, true])
  })

  test.each<[string, (a: Stepped) => void]>([
    ['a success', (a) => a.lane('a', succeeded)],
    ['the end of an outage', (a) => outage(a)],
    ['今すぐ送信', (a) => a.lane('a', freed)],
  ])('may leave again after %s', (_, happens) => {
    const a = oneLane()
    a.failed('a')
    hurry(a)
    happens(a)
    a.failed('a')
    expect([hurry(a), hurry(a)]).toEqual([true, false])
  })

  test.each<[string, (a: Stepped) => void]>([
    ['offline', (a) => a.lane('a', { kind: 'signals', isOnline: false, hasSession: true })],
    ['without a session', (a) => a.lane('a', { kind: 'signals', isOnline: true, hasSession: false })],
    ['where the circuit admits nothing', (a) => a.call({ kind: 'failed' })],
    ['where its lane is closed', (a) => a.lane('a', { kind: 'closed' })],
  ])('does not leave %s', (_, happens) => {
    const a = oneLane()
    happens(a)
    expect(hurry(a)).toBe(false)
  })
})

describe('[ST3] why nothing leaves', () => {
  const why = (a: Stepped) => whyMostUrgent(a.schedule, a.now)

  test('is what the most urgent lane waits for, in whatever order they were opened; without any, the probe', () => {
    const a = oneLane()
    a.open('push', RANKS.push)
    a.open('screen', RANKS.screen)
    a.failed('a', 9_000)
    a.failed('push', 7_000)
    a.failed('screen', 8_000)
    for (const [lane, ms] of [
      ['push', 7_000],
      ['screen', 8_000],
      ['a', 9_000],
    ] as const) {
      expect(why(a)).toEqual({ reason: 'back-off', until: a.now + ms })
      a.lane(lane, { kind: 'closed' })
    }
    expect(why(a)).toBeNull()
    a.call({ kind: 'throttled', retryAfterMs: 60_000 })
    expect(why(a)).toEqual({ reason: 'retry-after', until: a.now + 60_000 })
  })

  test('of several reasons it is the one that ends last, and a reason that is over is none', () => {
    const a = oneLane()
    a.failed('a', 5_000)
    a.call({ kind: 'failed' })
    expect([a.why('a')?.reason, a.waits('a')]).toEqual(['back-off', 5_000])
    a.call({ kind: 'throttled', retryAfterMs: 60_000 })
    expect([a.why('a')?.reason, a.waits('a')]).toEqual(['retry-after', 60_000])
    a.pass(60_000)
    expect(a.why('a')).toBeNull()
  })

  test('[PL9] a read waits for a place, and no timer ends that', () => {
    const a = oneLane()
    const background = { priority: 'background' } as const
    const first = a.arrive('first', background)
    for (const name of ['second', 'third']) a.arrive(name, background)
    expect(a.schedule.waiting.map((call) => whyCallWaits(a.schedule, call, a.now))).toEqual([
      { reason: 'places', until: Infinity },
    ])
    expect(nextAt(a.schedule, a.now)).toBe(Infinity)
    a.remove(first)
    expect(a.admitted).toEqual(['first', 'second', 'third'])
    for (const { id } of a.schedule.reading) a.remove(id)
    expect(a.schedule.reading).toEqual([])
  })
})
