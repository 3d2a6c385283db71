/** What the scheduler adds to its value: clock, timers, the calls themselves, and what all tabs share. */
import { BehaviorSubject, firstValueFrom, NEVER, ReplaySubject, Subject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPushHandler } from '#sync/changes/sender.ts'
import { CALLS_PER_MINUTE } from '#sync/scheduler/circuit.ts'
import { RANKS } from '#sync/scheduler/schedule.ts'
import { GateClosed, type SchedulerMemory } from '#sync/scheduler/scheduler.ts'
import type { Http, HttpCall } from '#sync/transport/http.ts'
import { NOT_SENT, type Answer } from '#sync/transport/outcome.ts'
import { newScheduler } from '../../support/scheduler.ts'

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    }),
)
afterEach(() => void vi.useRealTimers())
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const CALL: HttpCall = { method: 'GET', url: 'http://crm.test/x', headers: { Authorization: 'Bearer t' } }
const LOST: Answer = { kind: 'no-answer', sent: true }
const answer = (status: number, more: Partial<Extract<Answer, { kind: 'answer' }>> = {}): Answer => ({
  ...{ kind: 'answer', status, body: {}, isJson: true, total: null, retryAfter: null },
  ...more,
})

function newMemory(): SchedulerMemory {
  let stored: string | null = null
  return { get: () => stored, set: (text) => void (stored = text) }
}

/** A page of a phone; pages of one phone share its memory. */
function newPage({ memory = newMemory(), hasLogin = true, online = true, valid = true } = {}) {
  const scheduler = newScheduler({ memory, hasLogin, wall: Date.now })
  const call = (end: Answer, options?: Parameters<typeof scheduler.guard>[1], what = CALL) =>
    scheduler.guard(async () => end, options)(what)
  const [online$, valid$] = [new BehaviorSubject(online), new BehaviorSubject(valid)]
  const [hurry$, stop$] = [new Subject<void>(), new ReplaySubject<void>(1)]
  const gate = scheduler.gate({ rank: RANKS.pull, mayTry$: online$, sessionValid$: valid$, hurry$, stop$ })
  /** A call that arrives now: whether it has passed. */
  const arrive = () => {
    const one = { hasPassed: false, error: undefined as unknown }
    gate.passed().then(
      () => (one.hasPassed = true),
      (error: unknown) => (one.error = error),
    )
    return one
  }
  /** The API gives no answer to this many calls. */
  const fail = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      await wait(Math.ceil(scheduler.wait()))
      await call(LOST)
    }
  }
  return { scheduler, call, gate, arrive, fail, memory, online$, valid$, hurry$, stop$ }
}

describe('[OC10] a call', () => {
  test('waits for Retry-After where the memory of the tabs takes nothing: a full localStorage', async () => {
    const { scheduler, call } = newPage({ memory: { get: () => null, set: () => undefined } })
    await call(answer(503, { retryAfter: '600' }))
    expect(scheduler.wait()).toBeGreaterThan(500_000)
    await wait(60_000)
    expect(await call(answer(200))).toMatchObject({ kind: 'no-answer', sent: false })
    expect(scheduler.wait()).toBeGreaterThan(400_000)
  })

  test('of the probe that was answered ends no back-off; what ends with the sync is no failure', async () => {
    const { scheduler, call, fail } = newPage()
    await fail(1)
    await wait(500)
    await call(answer(404), { probe: true })
    await call(LOST, { stopped: AbortSignal.abort() })
    expect(scheduler.failures()).toBe(1)
  })

  test('that was probed gives back nothing of what others have used up, whose end nobody knows', async () => {
    const { scheduler, call } = newPage()
    for (let i = 0; i < CALLS_PER_MINUTE; i += 1) {
      void scheduler.guard(() => new Promise<Answer>(() => undefined))(CALL)
      await call(answer(204), { probe: true })
    }
    expect(scheduler.wait()).toBe(60_000)
  })

  test('for a token that the file store refuses goes twelve times in a minute; a login is answered', async () => {
    const asks = { method: 'POST', url: 'http://api.test/token' } as const
    const [files, crm] = [newPage({ hasLogin: false }), newPage()]
    for (let i = 0; i < CALLS_PER_MINUTE; i += 1) {
      await files.call(answer(401), {}, asks)
      await crm.call(answer(401), {}, asks)
    }
    expect([files.scheduler.wait(), crm.scheduler.wait()]).toEqual([60_000, 0])
  })

  test('that was stopped uses up nothing of the minute, whenever it was stopped', async () => {
    const { scheduler, call } = newPage()
    for (let i = 0; i < 3 * CALLS_PER_MINUTE; i += 1) await call(LOST, { stopped: AbortSignal.abort() })
    for (let i = 0; i < 3 * CALLS_PER_MINUTE; i += 1) {
      const stopped = new AbortController()
      const http = async () => {
        stopped.abort()
        return LOST
      }
      await scheduler.guard(http, { stopped: stopped.signal })(CALL)
    }
    expect(scheduler.wait()).toBe(0)
  })

  test('after the stop does not leave', async () => {
    const { scheduler } = newPage()
    const http = vi.fn<Http>(async () => LOST)
    expect(await scheduler.guard(http, { stopped: AbortSignal.abort() })(CALL)).toEqual(NOT_SENT)
    expect(http).not.toHaveBeenCalled()
  })

  test.each<[string, Answer, boolean | null]>([
    ['an answer', answer(404), true],
    ['none', LOST, false],
    ['not sent', { kind: 'no-answer', sent: false }, null],
  ])('[spec 7] of the probe: %s', async (_, end, result) => {
    const { scheduler } = newPage()
    const http = vi.fn<Http>(async () => end)
    expect(await firstValueFrom(scheduler.probe(http, 'http://crm.test/check'))).toBe(result)
    expect(http.mock.calls).toEqual([
      [{ method: 'GET', url: 'http://crm.test/check', signed: false, withoutBody: true }],
    ])
  })
})

describe('[OC10] what one tab has learned', () => {
  const THROTTLED = answer(503, { retryAfter: '60' })

  test('holds for another tab, and after a reload', async () => {
    const { call, memory } = newPage()
    await call(THROTTLED)
    const other = newPage({ memory })
    expect([await other.call(answer(200)), other.scheduler.wait()]).toEqual([NOT_SENT, 60_000])
    await wait(60_000)
    expect(await other.call(answer(200))).toEqual(answer(200))
  })

  test('opens all tabs, if it is a success', async () => {
    const { scheduler, memory, arrive, fail } = newPage()
    const other = newPage({ memory })
    await fail(5)
    const call = arrive()
    await wait(1_000)
    other.scheduler.requestCall()
    await other.call(answer(200))
    expect(call.hasPassed).toBe(false)
    scheduler.storedStateChanged()
    await wait(0)
    expect(call.hasPassed).toBe(true)
  })

  test('is shown with its reason and its end by the device’s clock', async () => {
    const { scheduler, call } = newPage()
    expect(scheduler.why()).toBeNull()
    await call(THROTTLED)
    expect(scheduler.why()).toEqual({ reason: 'retry-after', until: Date.now() + 60_000 })
    const offline = newPage({ online: false })
    expect(offline.scheduler.why()).toEqual({ reason: 'offline', until: Infinity })
  })
})

describe('[OC4] a gate', () => {
  test('lets a call pass in the same step where nothing is wrong', async () => {
    const { arrive } = newPage()
    const call = arrive()
    await wait(0)
    expect(call.hasPassed).toBe(true)
  })

  test('lets it pass when its back-off is over, or the user ends it', async () => {
    const { gate, arrive, hurry$ } = newPage()
    gate.failed(7_000)
    const first = arrive()
    await wait(6_999)
    expect(first.hasPassed).toBe(false)
    await wait(1)
    expect(first.hasPassed).toBe(true)
    gate.failed()
    const second = arrive()
    await wait(100)
    hurry$.next()
    await wait(0)
    expect(second.hasPassed).toBe(true)
  })

  test('[OC10] a probe’s answer, or the badge going online by it, ends no wait', async () => {
    const { gate, arrive, online$ } = newPage()
    for (let i = 0; i < 6; i++) gate.failed()
    const call = arrive()
    online$.next(false)
    online$.next(true)
    await wait(10_000)
    expect(call.hasPassed).toBe(false)
  })

  test.each(['online$', 'valid$'] as const)('lets nothing pass until %s is true', async (signal) => {
    const { hurry$, arrive, [signal]: it$ } = newPage({ [signal.slice(0, -1)]: false })
    const call = arrive()
    hurry$.next()
    await wait(3_600_000)
    expect(call.hasPassed).toBe(false)
    it$.next(true)
    await wait(0)
    expect(call.hasPassed).toBe(true)
  })

  test('waits for its session again after a wait', async () => {
    const { gate, arrive, valid$ } = newPage()
    gate.failed()
    const call = arrive()
    await wait(100)
    valid$.next(false)
    await wait(60_000)
    expect(call.hasPassed).toBe(false)
  })

  test.each([
    ['while offline', { online: false }, 0],
    ['during a back-off', {}, 1],
    ['that arrives after the stop', {}, 0],
  ])('a stop ends a call %s', async (when, parts, failures) => {
    const { gate, arrive, stop$ } = newPage(parts)
    for (let i = 0; i < failures; i++) gate.failed()
    if (when.includes('after')) stop$.next()
    const call = arrive()
    if (!when.includes('after')) expect(call).toEqual({ hasPassed: false, error: undefined })
    stop$.next()
    await wait(0)
    expect(call.error).toBeInstanceOf(GateClosed)
    expect(call.hasPassed).toBe(false)
  })

  test('[PL9][OC10] what a person waits for is not hurried into a circuit that admits nothing', async () => {
    const { scheduler, gate, arrive, fail } = newPage()
    await fail(1)
    expect([gate.isBlocked(), gate.mayHurry()]).toEqual([true, false])
    const call = arrive()
    await wait(Math.ceil(scheduler.wait()))
    expect(call.hasPassed).toBe(true)
    expect([gate.isBlocked(), gate.mayHurry()]).toEqual([false, true])
  })

  test('a call that is no longer wanted takes no admission', async () => {
    const { scheduler, arrive, fail } = newPage()
    await fail(1)
    const late$ = new Subject<void>()
    const other = scheduler.gate({
      ...{ rank: RANKS.push, mayTry$: new BehaviorSubject(true), sessionValid$: new BehaviorSubject(true) },
      ...{ hurry$: NEVER, stop$: late$ },
    })
    const dropped = other.passed().catch((error: unknown) => error)
    const call = arrive()
    late$.next()
    await wait(500)
    expect(await dropped).toBeInstanceOf(GateClosed)
    expect(call.hasPassed).toBe(true)
  })
})

test('[ST4][OC4] a queue that the device’s own storage stops is not gone through again at once', async () => {
  const { gate } = newPage()
  const full = new DOMException('no room', 'QuotaExceededError')
  let runs = 0
  const handler = createPushHandler({
    gate,
    pending: new Map(),
    open: async () => [{ id: 'a', resource: 'photos', recordKey: 'r' }],
    store: { sendFacts: async () => new Map() },
    ageCheck: async () => null,
    applyUserRequests: async () => undefined,
    async send() {
      runs += 1
      throw full
    },
    elapsed: () => 0,
    wait: async () => undefined,
    failed: () => undefined,
  })
  const goThrough = () => handler.push([])
  await expect(goThrough()).rejects.toBe(full)
  for (const ms of [500, 1_000]) {
    const before = runs
    const thrown = goThrough().catch((error: unknown) => error)
    await wait(ms - 1)
    expect(runs).toBe(before)
    await wait(1)
    expect(runs).toBe(before + 1)
    expect(await thrown).toBe(full)
  }
})
