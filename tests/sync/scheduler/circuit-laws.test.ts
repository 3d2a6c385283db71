import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CALLS_PER_MINUTE, isClosed, waitOf, type CallResult } from '#sync/scheduler/circuit.ts'
import { EMPTY, step, type ScheduleEvent } from '#sync/scheduler/schedule.ts'

const MINUTE = 60_000

/** A caller that goes whenever it is let, several at once, on a time of its own. */
function newLine(random = () => 0) {
  let state = EMPTY
  let now = 1_000_000
  const apply = (event: ScheduleEvent) => ({ schedule: state } = step(state, event, { now, random }))
  return {
    get state() {
      return state.circuit
    },
    get now() {
      return now
    },
    wait: () => waitOf(state.circuit, now),
    pass: (ms: number) => (now += ms),
    /** @returns when it began, or null where it has to wait */
    begin(limitMs = 20_000): number | null {
      if (waitOf(state.circuit, now) > 0) return null
      apply({ kind: 'begun', now, limitMs })
      return now
    },
    end: (begunAt: number, result: CallResult) =>
      apply({ kind: 'ended', now, begunAt, result, random: random() }),
    online: () => apply({ kind: 'online', now }),
    request: () => apply({ kind: 'requested' }),
  }
}
type Line = ReturnType<typeof newLine>

const FAILED: CallResult = { kind: 'failed' }
const USEFUL: CallResult = { kind: 'useful' }

/** A call that must be let through. */
function call(line: Line, result: CallResult, ms = 0): void {
  const begunAt = line.begin()
  if (begunAt === null) throw new Error(`to wait ${line.wait()} ms`)
  line.pass(ms)
  line.end(begunAt, result)
}

function failedTimes(times: number): Line {
  const line = newLine()
  for (let i = 0; i < times; i += 1) {
    line.pass(line.wait())
    call(line, FAILED)
  }
  return line
}

describe('[OC4] after failures', () => {
  test('the waits double, from 500 ms to 30 s', () => {
    const line = newLine()
    for (const wait of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      call(line, FAILED)
      expect(line.wait()).toBe(wait)
      line.pass(wait)
    }
  })

  test('[OC10a] one call goes on trial, all others wait for its end', () => {
    const line = failedTimes(3)
    line.pass(line.wait())
    const trial = line.begin()
    expect(trial).not.toBeNull()
    expect([line.begin(), line.wait()]).toEqual([null, 20_000])
    line.end(trial ?? 0, USEFUL)
    expect(isClosed(line.state)).toBe(true)
    expect([line.begin(), line.begin(), line.begin()]).not.toContain(null)
  })

  test('calls that were under way together count as one failure', () => {
    const line = newLine()
    const begun = [line.begin(), line.begin(), line.begin(), line.begin()]
    line.pass(300)
    for (const at of begun) line.end(at ?? 0, FAILED)
    expect(line.wait()).toBe(500)
  })

  test.each(['probed', 'neutral'] as const)(
    'the answer to a probe or a 401 ends no back-off (%s)',
    (kind) => {
      const line = failedTimes(4)
      line.pass(line.wait())
      call(line, { kind })
      expect([isClosed(line.state), line.wait()]).toEqual([false, 0])
      call(line, FAILED)
      expect(line.wait()).toBe(8_000)
    },
  )

  test('where all is well, answered probes take nothing from the calls', () => {
    const line = newLine()
    for (let i = 0; i < 100; i += 1) call(line, { kind: 'probed' })
    expect(line.wait()).toBe(0)
  })

  test('a trial that never ends (its tab is gone) is over after its time limit', () => {
    const line = failedTimes(1)
    line.pass(500)
    line.begin(20_000)
    line.pass(20_000)
    expect(line.wait()).toBe(0)
  })

  test('what never left is no call', () => {
    const line = failedTimes(2)
    line.pass(line.wait())
    call(line, { kind: 'unsent' })
    expect([line.wait(), line.state.begun.length]).toEqual([0, 2])
  })
})

describe('[OC10] Retry-After', () => {
  test.each([
    [60_000, 0, 60_000],
    [60_000, 0.999, 75_000],
    [2_000, 0.999, 5_000],
    [86_400_000, 0, 15 * MINUTE],
  ])('of %i ms is overstayed by a part of it (random %d): %i ms', (retryAfterMs, random, ms) => {
    const line = newLine(() => random)
    call(line, { kind: 'throttled', retryAfterMs })
    expect(Math.round(line.wait() / 100) * 100).toBe(ms)
  })

  test('is undercut by no request, no online event and no other call’s success', () => {
    const line = newLine()
    const [one, two] = [line.begin() ?? 0, line.begin() ?? 0]
    line.end(one, { kind: 'throttled', retryAfterMs: 60_000 })
    line.end(two, USEFUL)
    line.request()
    line.online()
    expect(line.wait()).toBe(60_000)
  })

  test('of 0, or none, is a failure like others', () => {
    const line = newLine()
    call(line, { kind: 'throttled', retryAfterMs: 0 })
    expect(line.wait()).toBe(500)
  })
})

describe('[OC10d] a request undercuts the back-off by one call', () => {
  test('and the next wait is longer, not shorter', () => {
    const line = failedTimes(5)
    line.request()
    line.request()
    expect(line.wait()).toBe(0)
    const wished = line.begin()
    expect(line.begin()).toBeNull()
    line.end(wished ?? 0, FAILED)
    expect(line.wait()).toBe(16_000)
  })

  test('also while another call is on trial', () => {
    const line = failedTimes(1)
    line.pass(500)
    line.begin()
    line.request()
    expect(line.wait()).toBe(0)
  })
})

test('[OC4] an online event of the browser starts the back-off anew, with one call on trial', () => {
  const line = failedTimes(6)
  line.pass(10)
  const old = line.begin() ?? 0
  line.pass(10)
  line.online()
  const trial = line.begin()
  expect([trial === null, line.begin()]).toEqual([false, null])
  // what left before it was online says nothing of now
  line.end(old, FAILED)
  expect(line.wait()).toBe(20_000)
  line.end(trial ?? 0, FAILED)
  expect(line.wait()).toBe(1_000)
})

// ── the laws ──

const result: fc.Arbitrary<CallResult> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(FAILED) },
  { weight: 1, arbitrary: fc.constant<CallResult>({ kind: 'neutral' }) },
  { weight: 2, arbitrary: fc.constantFrom<CallResult>({ kind: 'unsent' }, { kind: 'probed' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('throttled' as const),
      retryAfterMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 120_000 })),
    }),
  },
  { weight: 1, arbitrary: fc.constant(USEFUL) },
)

/** Somebody wants to call; what comes of it, and when. */
const act = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constant('call' as const), result, ms: fc.nat(25_000) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('pass' as const), ms: fc.nat(20_000) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('untilFree' as const) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('request' as const, 'online' as const) }) },
)

interface Seen {
  begun: number[]
  useful: number[]
  asked: { from: number; until: number }[]
}

type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

function seenOf(acts: readonly Act[]): Seen {
  const line = newLine(() => 0.5)
  const seen: Seen = { begun: [], useful: [], asked: [] }
  let underWay: { at: number; begunAt: number; result: CallResult }[] = []
  const passTo = (until: number) => {
    for (const ended of underWay.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)) {
      line.pass(Math.max(0, ended.at - line.now))
      const { result: what } = ended
      const isNoCall = what.kind === 'unsent' || (what.kind === 'probed' && isClosed(line.state))
      line.end(ended.begunAt, what)
      if (what.kind === 'useful') seen.useful.push(line.now)
      if (isNoCall) seen.begun.splice(seen.begun.indexOf(ended.begunAt), 1)
      if (what.kind === 'throttled') seen.asked.push({ from: line.now, until: line.now + what.retryAfterMs })
    }
    underWay = underWay.filter(({ at }) => at > until)
    line.pass(Math.max(0, until - line.now))
  }
  for (const one of acts) {
    passTo(line.now)
    if (one.act === 'call') {
      const begunAt = line.begin()
      const { result, ms } = one
      if (begunAt === null) continue
      seen.begun.push(begunAt)
      underWay.push({ at: begunAt + (result.kind === 'unsent' ? 0 : ms), begunAt, result })
    } else if (one.act === 'pass') passTo(line.now + one.ms)
    else if (one.act === 'untilFree') passTo(line.now + line.wait())
    else if (one.act === 'request') line.request()
    else line.online()
  }
  return seen
}

const acts = fc.array(act, { maxLength: 200, size: 'max' })
const RUNS = { numRuns: 300 }

test('[OC10c] law: in a minute without an answer of use, at most 12 calls begin', () => {
  fc.assert(
    fc.property(acts, (given) => {
      const { begun, useful } = seenOf(given)
      for (const from of begun) {
        const next = useful.find((at) => at > from) ?? Infinity
        const inMinute = begun.filter((at) => at >= from && at < Math.min(from + MINUTE, next))
        // one that began in the very step of an answer of use may be of before it
        const before = useful.includes(from) ? inMinute.filter((at) => at === from).length : 0
        expect(inMinute.length - before).toBeLessThanOrEqual(CALLS_PER_MINUTE)
      }
    }),
    RUNS,
  )
})

test('[OC10b] law: no call begins before a Retry-After is over', () => {
  fc.assert(
    fc.property(acts, (given) => {
      const { begun, asked } = seenOf(given)
      for (const { from, until } of asked) expect(begun.filter((at) => at > from && at < until)).toEqual([])
    }),
    RUNS,
  )
})

test('[OC10] law: it never stands still: after at most 19 minutes without a call one may begin', () => {
  fc.assert(
    fc.property(acts, (given) => {
      const line = newLine(() => 0.999)
      for (const one of given) {
        if (one.act === 'pass') line.pass(one.ms)
        if (one.act !== 'call') continue
        line.pass(line.wait())
        call(line, one.result, one.ms)
        expect(line.wait()).toBeLessThanOrEqual(19 * MINUTE)
      }
    }),
    RUNS,
  )
})
