/** What a circuit keeps of each event, by cases: `circuit-state.test.ts` has its laws. */
import { describe, expect, test } from 'vitest'
import {
  CALLS_PER_MINUTE,
  circuitAfter,
  CLOSED,
  waitOf,
  type CircuitState,
  type CircuitResult,
} from '#sync/scheduler/circuit-state.ts'

const MINUTE = 60_000

describe('[OC10] what a state keeps', () => {
  const now = 1_000_000
  const begun = Array.from({ length: CALLS_PER_MINUTE }, (_, i) => now + i)
  const ended = (state: CircuitState, of: CircuitResult, more: { begunAt?: number; random?: number } = {}) =>
    circuitAfter(state, { kind: 'ended', now, begunAt: now, random: 0, result: of, ...more })

  test('of calls that began the latest: the oldest of them ends the wait', () => {
    const after = circuitAfter({ ...CLOSED, begun }, { kind: 'begun', now: now + MINUTE, limitMs: 1 })
    expect(after.begun).toEqual([...begun.slice(1), now + MINUTE])
    expect(waitOf(after, now + MINUTE)).toBe(1)
  })
  test('while it is closed no call is on trial', () => {
    expect(circuitAfter(CLOSED, { kind: 'begun', now, limitMs: 20_000 })).toEqual({ ...CLOSED, begun: [now] })
  })
  test('what never left takes its own place in the minute back, and no other', () => {
    expect(ended({ ...CLOSED, begun }, { kind: 'unsent' }).begun).toEqual(begun.slice(1))
    expect(ended({ ...CLOSED, begun }, { kind: 'unsent' }, { begunAt: 7 }).begun).toEqual(begun)
  })
  test('a probe that was answered gives a closed one its own place back, and no other', () => {
    expect(ended({ ...CLOSED, begun }, { kind: 'probed' })).toEqual({ ...CLOSED, begun: begun.slice(1) })
    expect(ended({ ...CLOSED, begun }, { kind: 'probed' }, { begunAt: 7 })).toEqual({ ...CLOSED, begun })
  })
  test('without a Retry-After nothing but the back-off is waited for', () => {
    const after = ended(CLOSED, { kind: 'throttled', retryAfterMs: 0 }, { random: 0.9 })
    expect(after).toMatchObject({ retryAt: 0, failures: 1 })
  })
})
