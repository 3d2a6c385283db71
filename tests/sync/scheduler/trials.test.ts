/** Which call goes on trial while the circuit is open, and the laws of all that waits. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { waitOf } from '#sync/scheduler/circuit.ts'
import { nextAt, RANKS, whyCallWaits, type ScheduleEvent } from '#sync/scheduler/schedule.ts'
import { steppedSchedule } from '../../support/scheduler.ts'

type Stepped = ReturnType<typeof steppedSchedule>

/** The end of a call that began before the circuit opened. */
const endOfOlder = ({ now }: Stepped): ScheduleEvent => {
  return { kind: 'ended', now, begunAt: 0, result: { kind: 'neutral' }, random: 0 }
}

describe('[OC10a] while the circuit is open', () => {
  function waiting() {
    const a = steppedSchedule()
    for (const rank of ['push', 'pull'] as const) a.open(rank, RANKS[rank])
    a.call({ kind: 'failed' })
    for (const name of ['probe', 'pull', 'pull 2', 'push']) a.arrive(name, { lane: name.split(' ')[0] ?? '' })
    return a
  }

  test('one call at a time is admitted: unsent work first, the probe last; who does not call is passed over', () => {
    const a = waiting()
    a.pass(499)
    expect([a.admitted, a.why('push')?.reason]).toEqual([[], 'outage'])
    a.pass(1)
    expect([a.admitted, a.why('pull')?.reason]).toEqual([['push'], 'trial'])
    a.pass(400)
    expect(a.admitted).toEqual(['push', 'pull', 'pull 2'])
    a.pass(200)
    expect(a.admitted).toEqual(['push', 'pull', 'pull 2', 'probe'])
  })

  test('the others wait while the first calls, and begin once it has succeeded', () => {
    const a = waiting()
    a.pass(500)
    const begunAt = a.now
    a.do({ kind: 'begun', now: begunAt, limitMs: 20_000 })
    a.pass(5_000)
    expect(a.admitted).toEqual(['push'])
    a.do({ kind: 'ended', now: a.now, begunAt, result: { kind: 'useful' }, random: 0 })
    expect(a.admitted).toEqual(['push', 'pull', 'pull 2', 'probe'])
  })

  test('the rank of the last trial is passed over while another waits, also where that takes a moment to call', () => {
    const a = steppedSchedule()
    for (const rank of ['push', 'pull'] as const) a.open(rank, RANKS[rank])
    a.call({ kind: 'failed' })
    a.arrive('push', { lane: 'push' })
    a.pass(500)
    a.call({ kind: 'failed' })
    a.arrive('pull', { lane: 'pull' })
    a.arrive('push again', { lane: 'push' })
    a.pass(1_000)
    expect(a.admitted).toEqual(['push', 'pull'])
    a.pass(100)
    a.arrive('push at last', { lane: 'push' })
    expect(a.admitted).toEqual(['push', 'pull'])
    a.call({ kind: 'useful' })
    expect(a.admitted).toEqual(['push', 'pull', 'push again', 'push at last'])
  })

  test('the rank of the last trial is passed over also where it is not the most urgent one', () => {
    const a = steppedSchedule()
    for (const rank of ['screen', 'pull'] as const) a.open(rank, RANKS[rank])
    a.call({ kind: 'failed' })
    a.arrive('screen', { lane: 'screen' })
    a.pass(500)
    a.call({ kind: 'failed' })
    for (const name of ['screen again', 'pull']) a.arrive(name, { lane: name.split(' ')[0] ?? '' })
    a.pass(1_000)
    expect(a.admitted).toEqual(['screen', 'pull'])
  })

  test('the probe is no other one: unsent work goes on trial again before it', () => {
    const a = steppedSchedule()
    a.open('push', RANKS.push)
    a.call({ kind: 'failed' })
    a.arrive('push', { lane: 'push' })
    a.pass(500)
    a.call({ kind: 'failed' })
    for (const name of ['probe', 'push again']) a.arrive(name, { lane: name.split(' ')[0] ?? '' })
    a.pass(1_000)
    expect(a.admitted).toEqual(['push', 'push again'])
  })

  test('a lane that was closed admits nothing any more, whatever is said of it', () => {
    const a = waiting()
    a.lane('push', { kind: 'closed' })
    a.lane('push', { kind: 'signals', isOnline: true, hasSession: true })
    expect(a.why('push')).toEqual({ reason: 'session', until: Infinity })
    a.pass(500)
    expect(a.admitted).toEqual(['pull'])
  })

  test('what may begin now is due now, however late anybody looks', () => {
    const a = waiting()
    a.now += 60_000
    expect(nextAt(a.schedule, a.now)).toBe(a.now)
  })

  test.each<[string, (a: Stepped) => ScheduleEvent]>([
    ['an older call ends', endOfOlder],
    ['the user requests a call', () => ({ kind: 'requested' })],
  ])('%s before the first has called: no second one is admitted', (_, event) => {
    const a = waiting()
    a.pass(500)
    a.do(event(a))
    expect([a.admitted, a.why('pull')?.reason]).toEqual([['push'], 'trial'])
  })

  test('[PL9] a read has its own place: it neither takes the trial of a lane nor keeps a place for it', () => {
    const a = steppedSchedule()
    a.open('push', RANKS.push)
    a.call({ kind: 'failed' })
    a.pass(500)
    const read = a.arrive('read', { priority: 'screen' })
    a.arrive('push', { lane: 'push' })
    expect(a.admitted).toEqual(['read', 'push'])
    a.remove(read)
    expect(a.schedule.reading).toEqual([])
  })

  test('[ST3] where neither a signal nor a session is there, the signal is named', () => {
    const a = steppedSchedule()
    a.open('push', RANKS.push)
    a.lane('push', { kind: 'signals', isOnline: false, hasSession: false })
    expect(a.why('push')).toEqual({ reason: 'offline', until: Infinity })
  })

  test('a call whose lane waits for itself holds up nobody', () => {
    const a = waiting()
    a.failed('push', 60_000)
    a.pass(500)
    expect(a.admitted).toEqual(['pull'])
  })
})

// ── the laws ──

const LANES = ['push', 'screen', 'pull'] as const
const lane = fc.constantFrom(...LANES)
const act = fc.oneof(
  { weight: 6, arbitrary: lane.map((name) => (a: Stepped) => void a.arrive(name, { lane: name })) },
  { weight: 4, arbitrary: fc.nat(20_000).map((ms) => (a: Stepped) => a.pass(ms)) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('useful', 'failed', 'neutral', 'unsent'), fc.nat(3_000))
      .map(([kind, ms]) => (a: Stepped) => {
        if (waitOf(a.schedule.circuit, a.now) === 0) a.call({ kind } as { kind: 'useful' }, ms)
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .nat(90_000)
      .map((retryAfterMs) => (a: Stepped) => a.call({ kind: 'throttled', retryAfterMs })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(lane, fc.nat(9_000)).map(
      ([name, ms]) =>
        (a: Stepped) =>
          a.failed(name, ms),
    ),
  },
  { weight: 2, arbitrary: lane.map((name) => (a: Stepped) => a.lane(name, { kind: 'freed' })) },
  {
    weight: 2,
    arbitrary: fc
      .boolean()
      .map(
        (isRequest) => (a: Stepped) =>
          a.do(isRequest ? { kind: 'requested' } : { kind: 'online', now: a.now }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(lane, fc.boolean(), fc.boolean()).map(
      ([name, isOnline, hasSession]) =>
        (a: Stepped) =>
          a.lane(name, { kind: 'signals', isOnline, hasSession }),
    ),
  },
)

test('[OC10] law: a call waits as long as there is a reason, and each reason ends by itself or by an event', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
      const a = steppedSchedule(() => 0.5)
      for (const name of LANES) a.open(name, RANKS[name])
      for (const happens of acts) {
        happens(a)
        const whys = a.schedule.waiting.map((call) => whyCallWaits(a.schedule, call, a.now))
        expect(whys).not.toContain(null)
      }
      for (const name of LANES) a.lane(name, { kind: 'signals', isOnline: true, hasSession: true })
      a.pass(40 * 60_000)
      expect(a.schedule.waiting).toEqual([])
    }),
    { numRuns: 300 },
  )
})
