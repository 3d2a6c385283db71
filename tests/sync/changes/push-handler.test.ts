/** The handler that RxDB's push calls: when it applies wishes, waits at the gate, and looks again by itself. */
import { firstValueFrom, timer } from 'rxjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SendFacts } from '#schemas/change.ts'
import { createPushHandler } from '#sync/changes/sender.ts'
import type { Step } from '#sync/changes/send-adapter.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const refOf = (id: string) => ({ id, resource: 'quickReports', recordKey: id })
const DONE: Step = { kind: 'done' }

/** A handler at a gate that is opened by hand. `steps`: how the runs of the queue end; the last one counts for all others. */
function scene({ found = [] as string[], steps = [DONE] } = {}) {
  const wishes = new Map<string, SendFacts['wish']>()
  const pending = new Map<string, ReturnType<typeof refOf>>()
  const told: string[] = []
  const hooks = { read: () => {}, isFull: false, isOpen: false }
  let letPass: (() => void)[] = []
  const handler = createPushHandler({
    gate: {
      passed: () =>
        hooks.isOpen ? Promise.resolve() : new Promise<void>((resolve) => void letPass.push(resolve)),
      failed: (ms?: number) => void told.push(`failed ${ms ?? 0}`),
      succeeded: () => void told.push('succeeded'),
    },
    pending,
    open: async () => found.map(refOf),
    ageCheck: async () => null,
    store: {
      async sendFacts(ids) {
        const known = ids.map((id) => [id, { id, wish: wishes.get(id) ?? 'none' } as SendFacts] as const)
        // what the hook does happens while the device reads, so this answer lacks it
        hooks.read()
        return new Map(known)
      },
    },
    async applyUserRequests(ids) {
      told.push(`applied ${ids.join()}`)
      for (const id of ids) wishes.set(id, 'none')
    },
    async send() {
      told.push(`sent ${[...pending.keys()].join()}`)
      if (hooks.isFull) throw new DOMException('no room', 'QuotaExceededError')
      const step = steps.length > 1 ? steps.shift() : steps[0]
      if (step?.kind === 'done' && !hooks.isOpen) pending.clear()
      return step ?? DONE
    },
    elapsed: () => performance.now(),
    wait: async (ms) => void (await firstValueFrom(timer(ms))),
    failed: () => void told.push('wake failed'),
  })
  return {
    handler,
    told,
    hooks,
    wishes,
    /** Number of calls of the gate that wait. */
    waiting: () => letPass.length,
    async open() {
      const waiting = letPass
      letPass = []
      for (const pass of waiting) pass()
      await later(0)
    },
  }
}

describe('[SV2a] at a closed gate', () => {
  test('a press that arrives while the wishes are being read is applied, not left to the gate', async () => {
    const { handler, told, hooks, wishes } = scene()
    hooks.read = () => {
      hooks.read = () => {}
      wishes.set('a', 'discard')
      handler.enqueue(refOf('a'))
    }
    void handler.push([refOf('a')])
    await later(0)
    expect(told).toEqual(['applied a'])
  })

  test('so is one that arrives later; however many arrive, one wait uses one trial call', async () => {
    const { handler, told, wishes, waiting } = scene()
    void handler.push([refOf('a')])
    await later(0)
    for (const id of ['b', 'c']) {
      wishes.set(id, 'resend')
      handler.enqueue(refOf(id))
      await later(0)
    }
    expect(told).toEqual(['applied b', 'applied c'])
    expect(waiting()).toBe(1)
  })

  test('[OR1] what is saved meanwhile goes with the run that waits', async () => {
    const { handler, told, open } = scene()
    const pushed = handler.push([refOf('a')])
    await later(0)
    handler.enqueue(refOf('b'))
    await later(0)
    await open()
    await pushed
    expect(told).toEqual(['sent a,b', 'succeeded'])
  })
})

test('[SV3] the first run finds what is open on the device, whatever RxDB has pushed; with nothing open none waits', async () => {
  const { handler, told, open, waiting } = scene({ found: ['old'] })
  const first = handler.push([])
  await later(0)
  await open()
  await first
  await handler.push([])
  expect(waiting()).toBe(0)
  expect(told).toEqual(['sent old', 'succeeded'])
})

test('[OC4][OC10b] a blocked run is tried again at the gate, which is told of Retry-After and of nothing else', async () => {
  const throttled = { kind: 'throttled', status: 429, retryAfterMs: 7_000 } as const
  const steps: Step[] = [
    { kind: 'blocked', outcome: throttled },
    { kind: 'blocked', outcome: { kind: 'unknown', status: 500 } },
    DONE,
  ]
  const { handler, told, open } = scene({ steps })
  const pushed = handler.push([refOf('a')])
  for (let runs = 0; runs < 3; runs += 1) {
    await later(0)
    await open()
  }
  await pushed
  expect(told).toEqual(['sent a', 'failed 7000', 'sent a', 'failed 0', 'sent a', 'succeeded'])
})

test('[ST4] a device that takes nothing: each run waits longer, and a good one ends that', async () => {
  const { handler, told, hooks, open } = scene()
  const run = async (waitMs: number) => {
    told.length = 0
    const ended = handler.push([refOf('a')]).catch((error: unknown) => error)
    if (waitMs > 0) await later(waitMs - 1)
    await open()
    const before = told.length
    if (waitMs > 0) await later(1)
    await open()
    return { before, after: told.join(), ended: await ended }
  }
  hooks.isFull = true
  const failed = { before: 0, after: 'sent a,failed 0', ended: expect.any(DOMException) as unknown }
  expect(await run(0)).toMatchObject({ ended: failed.ended })
  expect(await run(500)).toEqual(failed)
  expect(await run(1_000)).toEqual(failed)
  hooks.isFull = false
  expect(await run(2_000)).toMatchObject({ before: 0, ended: undefined })
  hooks.isFull = true
  expect(await run(0)).toMatchObject({ ended: failed.ended })
  expect(await run(500)).toEqual(failed)
})

describe('[OC9] the queue looks again by itself', () => {
  /** Runs that have read the wishes since the last question. */
  function watched() {
    // something postponed, so that a run has something to look at
    const parts = scene({ found: ['a'] })
    parts.hooks.isOpen = true
    let reads = 0
    parts.hooks.read = () => void (reads += 1)
    const runsIn = async (ms: number) => {
      await later(ms)
      // a run takes some turns to begin
      await later(0)
      const since = reads
      reads = 0
      return since
    }
    return { ...parts, runsIn }
  }

  test('at the earliest time that was asked for, and each time that it is asked later', async () => {
    const { handler, runsIn } = watched()
    for (let times = 0; times < 3; times += 1) {
      handler.wake(20_000)
      handler.wake(30_000)
      expect(await runsIn(19_999)).toBe(0)
      expect(await runsIn(1)).toBe(1)
      expect(await runsIn(60_000)).toBe(0)
    }
  })

  test('sooner, if that is asked before the time has come', async () => {
    const { handler, runsIn } = watched()
    handler.wake(20_000)
    handler.wake(5_000)
    expect(await runsIn(4_999)).toBe(0)
    expect(await runsIn(1)).toBe(1)
  })

  test('[ST4] half a minute later, if the device could not be read', async () => {
    const { handler, told, hooks, runsIn } = watched()
    const { read } = hooks
    hooks.read = () => {
      hooks.read = read
      throw new DOMException('no room', 'QuotaExceededError')
    }
    handler.wake(1_000)
    await runsIn(1_000)
    expect(told).toEqual(['wake failed'])
    expect(await runsIn(29_999)).toBe(0)
    // the run after a storage error waits in addition
    expect(await runsIn(501)).toBe(1)
  })

  test('not after the sync has stopped', async () => {
    const { handler, told, hooks, runsIn } = watched()
    hooks.read = () => {
      throw new GateClosed('stopped')
    }
    handler.wake(1_000)
    await runsIn(1_000)
    expect(await runsIn(60_000)).toBe(0)
    expect(told).toEqual([])
  })
})
