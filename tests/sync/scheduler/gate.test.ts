import { BehaviorSubject, ReplaySubject, Subject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPushHandler } from '#sync/changes/push-handler.ts'
import { createGate, GateClosed } from '#sync/scheduler/gate.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import type { Circuit } from '#sync/scheduler/circuit.ts'
import { RANKS } from '#sync/scheduler/lanes.ts'
import { newCircuit } from '../../support/circuit.ts'

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    }),
)
afterEach(() => void vi.useRealTimers())

const NO_ANSWER: Answer = { kind: 'no-answer', sent: true }
const ANSWER: Answer = { kind: 'answer', status: 200, body: [], isJson: true, total: null, retryAfter: null }

/** One call that ends so, as soon as the circuit lets it through. */
async function calledThrough(circuit: Circuit, answer: Answer, wait: (ms: number) => Promise<unknown>) {
  await wait(circuit.wait())
  await circuit.guard(async () => answer)({ method: 'GET', url: 'http://crm.test/' })
}

function newGate({ online = true, valid = true } = {}) {
  const online$ = new BehaviorSubject(online)
  const sessionValid$ = new BehaviorSubject(valid)
  const nudge$ = new Subject<void>()
  const stop$ = new ReplaySubject<void>(1)
  const circuit = newCircuit()
  const gate = createGate({
    mayTry$: online$,
    sessionValid$,
    hurry$: nudge$,
    stop$,
    circuit,
    rank: RANKS.pull,
    random: () => 0,
  })
  /** Whether a call that comes now is let through within this many milliseconds. */
  const knock = () => {
    const call = { through: false, error: undefined as unknown }
    gate.passed().then(
      () => (call.through = true),
      (error: unknown) => (call.error = error),
    )
    return call
  }
  const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { gate, circuit, online$, sessionValid$, nudge$, stop$, knock, wait }
}

test('an open gate lets calls through at once', async () => {
  const { knock, wait } = newGate()
  const call = knock()
  await wait(0)
  expect(call.through).toBe(true)
})

describe('[OC4] after a failure', () => {
  test('a call waits 500 ms, then twice as long each time', async () => {
    const { gate, knock, wait } = newGate()
    for (const ms of [500, 1_000, 2_000, 4_000]) {
      gate.failed()
      const call = knock()
      await wait(ms - 1)
      expect(call.through).toBe(false)
      await wait(1)
      expect(call.through).toBe(true)
    }
  })

  test('the first success brings it back to 500 ms', async () => {
    const { gate, knock, wait } = newGate()
    for (let i = 0; i < 6; i++) gate.failed()
    gate.succeeded()
    const free = knock()
    await wait(0)
    expect(free.through).toBe(true)
    gate.failed()
    const call = knock()
    await wait(500)
    expect(call.through).toBe(true)
  })

  test('Retry-After is waited for', async () => {
    const { gate, knock, wait } = newGate()
    gate.failed(7_000)
    const call = knock()
    await wait(6_999)
    expect(call.through).toBe(false)
    await wait(1)
    expect(call.through).toBe(true)
  })

  test('今すぐ送信 ends the wait, and the next one is short again', async () => {
    const { gate, knock, nudge$, wait } = newGate()
    for (let i = 0; i < 6; i++) gate.failed()
    const call = knock()
    await wait(100)
    expect(call.through).toBe(false)
    nudge$.next()
    await wait(0)
    expect(call.through).toBe(true)
    gate.failed()
    const next = knock()
    await wait(500)
    expect(next.through).toBe(true)
  })

  test('the end of an outage ends the wait, one call that failed is none', async () => {
    for (const [failures, isThrough] of [
      [1, false],
      [2, true],
    ] as const) {
      const { gate, circuit, knock, wait } = newGate()
      for (let i = 0; i < 6; i++) gate.failed()
      for (let i = 0; i < failures; i++) await calledThrough(circuit, NO_ANSWER, wait)
      const call = knock()
      await wait(0)
      expect(call.through).toBe(false)
      await calledThrough(circuit, ANSWER, wait)
      await wait(100)
      expect(call.through).toBe(isThrough)
    }
  })

  test('[OC10] a probe’s answer, or the badge going online by it, ends no wait', async () => {
    const { gate, knock, online$, wait } = newGate()
    for (let i = 0; i < 6; i++) gate.failed()
    const call = knock()
    online$.next(false)
    online$.next(true)
    await wait(10_000)
    expect(call.through).toBe(false)
  })
})

describe('a closed gate', () => {
  test('lets nothing through while offline', async () => {
    const { knock, online$, wait } = newGate({ online: false })
    const call = knock()
    await wait(3_600_000)
    expect(call.through).toBe(false)
    online$.next(true)
    await wait(0)
    expect(call.through).toBe(true)
  })

  test('[OC5] lets nothing through without a valid session, 今すぐ送信 or not', async () => {
    const { knock, nudge$, sessionValid$, wait } = newGate({ valid: false })
    const call = knock()
    nudge$.next()
    await wait(60_000)
    expect(call.through).toBe(false)
    sessionValid$.next(true)
    await wait(0)
    expect(call.through).toBe(true)
  })

  test('is looked at again after a wait', async () => {
    const { gate, knock, sessionValid$, wait } = newGate()
    gate.failed()
    const call = knock()
    await wait(100)
    sessionValid$.next(false)
    await wait(60_000)
    expect(call.through).toBe(false)
  })

  test.each([
    ['while offline', { online: false }, 0],
    ['during a back-off', {}, 1],
    ['that comes after the stop', {}, 0],
  ])('a stop ends a call %s', async (when, parts, failures) => {
    const { gate, knock, stop$, wait } = newGate(parts)
    for (let i = 0; i < failures; i++) gate.failed()
    if (when.includes('after')) stop$.next()
    const call = knock()
    await wait(10)
    stop$.next()
    await wait(0)
    expect(call.error).toBeInstanceOf(GateClosed)
    expect(call.through).toBe(false)
  })
})

test('[PL9][OC10] what a person waits for is not hurried into a circuit that lets nothing out', async () => {
  const { gate, circuit, knock, wait } = newGate()
  await calledThrough(circuit, NO_ANSWER, wait)
  expect(gate.isBlocked()).toBe(true)
  expect(gate.mayHurry()).toBe(false)
  const call = knock()
  await wait(circuit.wait())
  expect(call.through).toBe(true)
  expect(gate.mayHurry()).toBe(true)
})

test('[ST4][OC4] a queue that the device’s own storage stops is not gone through again at once', async () => {
  const { gate, wait } = newGate()
  const full = new DOMException('no room', 'QuotaExceededError')
  let drains = 0
  const handler = createPushHandler({
    gate,
    pending: new Map(),
    open: async () => [{ id: 'a', resource: 'photos', recordKey: 'r' }],
    states: { read: async () => new Map() },
    applyUserRequests: async () => undefined,
    async send() {
      drains += 1
      throw full
    },
    elapsed: () => 0,
    wait: async () => undefined,
    failed: () => undefined,
  })
  const goThrough = () => handler.push([])
  await expect(goThrough()).rejects.toBe(full)
  for (const ms of [500, 1_000]) {
    const before = drains
    const thrown = goThrough().catch((error: unknown) => error)
    await wait(ms - 1)
    expect(drains).toBe(before)
    await wait(1)
    expect(drains).toBe(before + 1)
    expect(await thrown).toBe(full)
  }
})
