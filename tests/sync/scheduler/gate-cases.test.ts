/** The gate's own back-off, case by case, beside a circuit that is what the test says: reads eased, hurried, failing together. */
import { BehaviorSubject, of, ReplaySubject, Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { createGate } from '#sync/scheduler/gate.ts'
import { RANKS, type Rank } from '#sync/scheduler/lanes.ts'

function gateOf({ rank = RANKS.pull, random = 0 }: { rank?: Rank; random?: number } = {}) {
  const [mayTry$, sessionValid$] = [new BehaviorSubject(true), new BehaviorSubject(true)]
  const [hurry$, recovered$, stop$] = [new Subject<void>(), new Subject<number>(), new ReplaySubject<void>(1)]
  const at = { now: 10_000, held: 0 }
  /** Waits of the gate, each ended by the test. */
  const waits: { ms: number; over$: Subject<void> }[] = []
  const gate = createGate({
    mayTry$,
    sessionValid$,
    hurry$,
    stop$,
    circuit: { admission$: () => of(undefined), recovered$, wait: () => at.held },
    rank,
    random: () => random,
    now: () => at.now,
    after$: (ms) => {
      const over$ = new Subject<void>()
      waits.push({ ms, over$ })
      return over$
    },
  })
  /** How long a call waits that comes now; 0 where it goes at once. */
  async function waiting(): Promise<number> {
    const before = waits.length
    let isThrough = false
    void gate.passed().then(
      () => (isThrough = true),
      () => undefined,
    )
    // nothing here waits for a timer
    for (let n = 0; n < 20; n += 1) await Promise.resolve()
    const wait = waits[before]
    if (!wait && !isThrough) throw new Error('neither through nor waiting')
    return wait?.ms ?? 0
  }
  return { gate, at, waits, waiting, mayTry$, sessionValid$, hurry$, recovered$, stop$ }
}

describe('[OC4] calls beside each other that fail together', () => {
  test('are one failure: what began before the last one says nothing new', async () => {
    const { gate, at, waiting } = gateOf()
    gate.failed(0, 9_000)
    gate.failed(0, 9_999)
    expect(await waiting()).toBe(500)
    gate.failed(0, at.now)
    expect(await waiting()).toBe(1_000)
  })

  test('the first of all counts, whenever it began', async () => {
    const { gate, waiting } = gateOf()
    gate.failed(0, 0)
    expect(await waiting()).toBe(500)
  })

  test('one that says nothing new may say Retry-After; it takes nothing back', async () => {
    const { gate, waiting } = gateOf()
    gate.failed()
    gate.failed(7_000, 1)
    expect(await waiting()).toBe(7_000)
    gate.failed(2_000, 1)
    expect(await waiting()).toBe(7_000)
    gate.failed(10_000_000, 1)
    expect(await waiting()).toBe(900_000)
    // the next news is still the second failure
    gate.succeeded()
    gate.failed()
    expect(await waiting()).toBe(500)
  })

  test('what one of them says late keeps what was counted', async () => {
    const { gate, at, waiting } = gateOf()
    gate.failed()
    gate.failed(0, 1)
    at.now += 500
    expect(await waiting()).toBe(0)
    gate.failed()
    expect(await waiting()).toBe(1_000)
  })

  test('a success takes nothing from which failure was counted last', async () => {
    const { gate, at, waiting } = gateOf()
    gate.failed()
    gate.succeeded()
    // it began before the failure that was counted
    gate.failed(0, at.now - 1)
    expect(await waiting()).toBe(0)
  })
})

describe('[PL10] after a long outage', () => {
  test('reads wait at random up to a minute and a half, what is unsent does not', async () => {
    const reads = gateOf({ random: 0.5 })
    reads.recovered$.next(8)
    expect(await reads.waiting()).toBe(45_000)
    const sends = gateOf({ random: 0.5, rank: RANKS.push })
    sends.recovered$.next(8)
    expect(await sends.waiting()).toBe(0)
  })

  test('their own back-off is over all the same, and begins small', async () => {
    const { gate, recovered$, waiting } = gateOf()
    for (let n = 0; n < 6; n += 1) gate.failed()
    recovered$.next(2)
    expect(await waiting()).toBe(0)
    gate.failed()
    expect(await waiting()).toBe(500)
  })

  test('[OC4a][FL1] it ends a lane’s wait once: others’ answers leave a lane its back-off whose own calls all fail', async () => {
    const { gate, recovered$, waiting } = gateOf({ rank: RANKS.push })
    for (let n = 0; n < 6; n += 1) gate.failed()
    recovered$.next(2)
    expect(await waiting()).toBe(0)
    for (const ms of [500, 1_000, 2_000, 4_000]) {
      gate.failed()
      recovered$.next(2)
      expect(await waiting()).toBe(ms)
    }
    gate.succeeded()
    gate.failed()
    recovered$.next(2)
    expect(await waiting()).toBe(0)
  })

  test('an outage in which nothing of a lane failed is not the one that ends its wait', async () => {
    const { gate, recovered$, waiting } = gateOf({ rank: RANKS.push })
    recovered$.next(2)
    gate.failed()
    recovered$.next(2)
    expect(await waiting()).toBe(0)
  })

  test('who is waiting hears of its end, and waits anew', async () => {
    const { gate, recovered$, waits, waiting } = gateOf({ random: 0.5 })
    gate.failed(60_000)
    expect(await waiting()).toBe(60_000)
    recovered$.next(8)
    for (let n = 0; n < 20; n += 1) await Promise.resolve()
    expect(waits.map(({ ms }) => ms)).toEqual([60_000, 45_000])
  })

  test('a person ends that wait', async () => {
    const { hurry$, recovered$, waiting } = gateOf({ random: 0.5 })
    recovered$.next(8)
    hurry$.next()
    expect(await waiting()).toBe(0)
  })

  test('a call that succeeds does not: the others of the fleet are still waiting', async () => {
    const { gate, recovered$, waiting } = gateOf({ random: 0.5 })
    recovered$.next(8)
    gate.succeeded()
    expect(await waiting()).toBe(45_000)
  })
})

describe('[PL9] what a person waits for', () => {
  test('leaves once in each back-off', async () => {
    const { gate, at, waiting } = gateOf()
    gate.failed()
    expect([gate.mayHurry(), gate.mayHurry()]).toEqual([true, false])
    gate.failed()
    expect(gate.mayHurry()).toBe(false)
    at.now += 1_000
    expect(await waiting()).toBe(0)
    gate.failed()
    expect([gate.mayHurry(), gate.mayHurry()]).toEqual([true, false])
  })

  test('leaves as often as it likes where nothing waits', () => {
    const { gate, at } = gateOf()
    expect([gate.mayHurry(), gate.mayHurry()]).toEqual([true, true])
    gate.failed()
    expect(gate.mayHurry()).toBe(false)
    at.now += 499
    expect(gate.mayHurry()).toBe(false)
    at.now += 1
    expect([gate.mayHurry(), gate.mayHurry()]).toEqual([true, true])
  })

  test.each(['a success', 'the end of an outage', '今すぐ送信'])('may leave again after %s', (what) => {
    const { gate, hurry$, recovered$ } = gateOf()
    gate.failed()
    gate.mayHurry()
    if (what === 'a success') gate.succeeded()
    else if (what === '今すぐ送信') hurry$.next()
    else recovered$.next(2)
    gate.failed()
    expect([gate.mayHurry(), gate.mayHurry()]).toEqual([true, false])
  })

  test('does not leave offline, without a session, or where the circuit lets nothing out', () => {
    const { gate, at, mayTry$, sessionValid$ } = gateOf()
    mayTry$.next(false)
    expect(gate.mayHurry()).toBe(false)
    mayTry$.next(true)
    sessionValid$.next(false)
    expect(gate.mayHurry()).toBe(false)
    sessionValid$.next(true)
    at.held = 1
    expect([gate.isBlocked(), gate.mayHurry()]).toEqual([true, false])
    at.held = 0
    // what did not leave is not counted
    gate.failed()
    expect(gate.mayHurry()).toBe(true)
  })
})
