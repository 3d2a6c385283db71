/** Whether it is the CRM that does not answer, or one list (RULES PL8; decisions/scheduler). */
import { NEVER, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Outcome } from '#sync/transport/outcome.ts'
import {
  fewestTriesFirst,
  isWaiting,
  OWN_RETRY_MAX_MS,
  PullAgain,
  readable,
  troubleAfter,
  type Trouble,
} from '#sync/scheduler/read-backoff.ts'
import { RANKS } from '#sync/scheduler/schedule.ts'
import { TICKS } from '#sync/lib/backoff.ts'
import { newScheduler } from '../../support/scheduler.ts'
import { alone, listOf, pullOf } from '../../support/pull-parts.ts'

const broken: Outcome = { kind: 'unknown', status: 500 }
const gone: Outcome = { kind: 'unreachable' }

/** Tries one after another: what came of each, and how many calls the CRM accepted during it. */
function after(tries: readonly [Outcome, number][]): Trouble | undefined {
  let trouble: Trouble | undefined
  let accepted = 7
  for (const [outcome, meanwhile] of tries) {
    const acceptedBefore = accepted
    accepted += meanwhile
    trouble = troubleAfter(trouble, { now: 1_000, random: 0, outcome, acceptedBefore, accepted })
  }
  return trouble
}

describe('[PL8] a list that fails', () => {
  test.each<[string, [Outcome, number][], boolean]>([
    ['5xx, and nothing else was accepted', [[broken, 0]], false],
    ['5xx, and something was', [[broken, 1]], true],
    ['no answer, and something was: it may have been the signal', [[gone, 1]], false],
    [
      'no answer twice, and something was',
      [
        [gone, 1],
        [gone, 0],
      ],
      true,
    ],
    [
      '5xx twice, something was in between',
      [
        [broken, 0],
        [broken, 1],
      ],
      true,
    ],
    [
      'all of it is down',
      [
        [broken, 0],
        [broken, 0],
        [gone, 0],
      ],
      false,
    ],
    [
      'it was its own, and now all of it is down',
      [
        [broken, 1],
        [gone, 0],
      ],
      true,
    ],
  ])('%s', (_, tries, isOwn) => {
    expect(after(tries)?.isOwn).toBe(isOwn)
  })

  test('waits alone, twice as long each time, up to five minutes', () => {
    const waits = Array.from({ length: 14 }, (_, n) => after(Array(n + 1).fill([broken, 1])))
    const ms = waits.map((trouble) => (trouble?.notBefore ?? 0) - 1_000)
    expect(ms.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000])
    expect(ms.at(-1)).toBe(OWN_RETRY_MAX_MS)
    expect(isWaiting(waits[0], 1_499)).toBe(true)
    expect(isWaiting(waits[0], 1_500)).toBe(false)
  })

  test('what may be the CRM is not left alone: the gate waits', () => {
    expect(isWaiting(after([[broken, 0]]), 1_000)).toBe(false)
  })
})

describe('[PL8] an outcome of a read', () => {
  const told = (outcome: Outcome) => {
    let successes = 0
    const read = () => readable({ succeeded: () => void (successes += 1) }, outcome)
    return { read, successes: () => successes }
  }

  test.each<Outcome>([
    { kind: 'accepted', status: 200, body: [], total: 0 },
    { kind: 'refused', status: 400, reasons: [] },
    { kind: 'missing', status: 404, reasons: [] },
  ])('$kind is an answer of the CRM, and its lane is well', (outcome) => {
    const { read, successes } = told(outcome)
    expect(read()).toBe(outcome)
    expect(successes()).toBe(1)
  })

  test.each<Outcome>([
    broken,
    gone,
    { kind: 'throttled', status: 429, retryAfterMs: 0 },
    { kind: 'unauthorized', status: 401 },
    { kind: 'stale', status: 412 },
  ])('$kind is none: it is read again', (outcome) => {
    const { read, successes } = told(outcome)
    expect(read).toThrow(new PullAgain(outcome))
    expect(successes()).toBe(0)
  })
})

/** A list behind a circuit that is open, or is not. */
function behind(circuit: 'open' | 'closed') {
  const told = { accepted: 7, waits: 0, problems: [] as string[] }
  let outcome: Outcome = gone
  const { engine, turn } = pullOf(
    {
      gate: { ...alone().gate, failed: () => (told.waits += 1), isBlocked: () => circuit === 'open' },
      accepted: () => told.accepted,
      report: (problem) => told.problems.push(problem),
    },
    () => [
      listOf('list', async () => {
        told.accepted += 1
        return outcome
      }),
    ],
  )
  const tried = async (next: Outcome) => {
    outcome = next
    await turn()
  }
  return { engine, told, tried }
}

describe('[PL8][OC10] a call that was not let out', () => {
  const held: Outcome = { kind: 'unreachable', held: true }

  test('is no failure of the list, however often: it is tried as soon as calls go again', async () => {
    const { engine, told, tried } = behind('open')
    for (let n = 0; n < 20; n += 1) await tried(held)
    expect(engine.triesOf('list')).toBe(0)
    expect(engine.mayStart('list')).toBe(true)
    expect(told).toMatchObject({ waits: 0, problems: [] })
  })

  test('for want of a token, while the circuit is closed, makes the gate wait', async () => {
    const { told, tried } = behind('closed')
    await tried(held)
    expect(told).toMatchObject({ waits: 1, problems: [] })
  })

  test('one that had no answer is one', async () => {
    const { engine, told, tried } = behind('closed')
    await tried(gone)
    await tried(gone)
    expect(engine.mayStart('list')).toBe(false)
    expect(told.problems).toEqual(['list: unreachable'])
  })
})

describe('[OC4][PL8] reads beside each other that fail together', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
      }),
  )
  afterEach(() => void vi.useRealTimers())

  const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  function fourReads() {
    const gate = newScheduler().gate({
      rank: RANKS.pull,
      mayTry$: of(true),
      sessionValid$: of(true),
      hurry$: NEVER,
      stop$: NEVER,
    })
    let [starts, failures] = [0, 0]
    const { turn } = pullOf({ gate, ticks: TICKS }, () =>
      [0, 1, 2, 3].map((n) =>
        listOf(`list ${n}`, async () => {
          starts += 1
          await new Promise((resolve) => setTimeout(resolve, 10 * (n + 1)))
          failures += 1
          return broken
        }),
      ),
    )
    /** Begun at once, in the first turn that has nothing else to tell; the answers come 10 ms apart. */
    const fail = async () => {
      starts = failures = 0
      const ended = (async () => {
        while (starts < 4) await turn()
      })()
      while (failures < 4) await wait(10)
      await ended
    }
    /** Milliseconds until the gate lets the next one through. */
    async function waited() {
      let through = false
      void gate.passed().then(() => (through = true))
      const begun = performance.now()
      while (!through && performance.now() - begun < 60_000) await wait(10)
      return performance.now() - begun
    }
    return { fail, waited }
  }

  test('are one failure: the gate waits 500 ms, not 4 s; the next four make it a second', async () => {
    const { fail, waited } = fourReads()
    await fail()
    const first = await waited()
    expect(first).toBeGreaterThan(400)
    expect(first).toBeLessThanOrEqual(500)
    await fail()
    const second = await waited()
    expect(second).toBeGreaterThan(900)
    expect(second).toBeLessThanOrEqual(1_000)
  })
})

test('[PL8][OC10] of two that cannot be read, and one call goes at a time, each has its turn', () => {
  const tries = new Map([
    ['a', 0],
    ['b', 0],
  ])
  const went = Array.from({ length: 6 }, () => {
    const [next = ''] = fewestTriesFirst([...tries.keys()], (name) => tries.get(name) ?? 0)
    tries.set(next, (tries.get(next) ?? 0) + 1)
    return next
  })
  expect(went).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
})
