/** The pull engine case by case: what it does of a read, of a failure and of the gate (RULES PL8–PL11). */
import { Subject } from 'rxjs'
import { describe, expect, test, vi } from 'vitest'
import { TICKS } from '#sync/lib/backoff.ts'
import type { EngineParts, Work } from '#sync/pull/engine/work.ts'
import { createReadyDocs, DOCS_PER_CALL, GATHERED_MAX } from '#sync/pull/engine/engine.ts'
import { PullAgain } from '#sync/scheduler/read-backoff.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { alone, listOf, pullOf } from '../../support/pull-parts.ts'

const gone: Outcome = { kind: 'unreachable' }
const broken: Outcome = { kind: 'unknown', status: 500 }
const busy = { kind: 'throttled', status: 429 } as const
const fetchRequest = { key: 'k', askedAt: 'then' }
const docs = ['d'] as never[]

/** One read of a question, at one turn of RxDB. */
async function readOf(read: Work<never>['read'], parts: Partial<EngineParts> = {}) {
  const ended: unknown[] = []
  const told: object[] = []
  const failed = async (...failure: unknown[]) => ended.push(failure)
  const works: Work<never>[] = [{ name: 'q', priority: 'screen', fetchRequest, read, failed }]
  const answer = async (one: object) => void told.push(one)
  const { engine } = pullOf({ answer, ...parts }, () => works.splice(0))
  const given = await engine.handler().catch((error: unknown) => error)
  return { given, ended, told, engine }
}
const fails = (outcome: Outcome, parts: Partial<EngineParts> = {}) =>
  readOf(() => Promise.reject(new PullAgain(outcome)), parts)

describe('what the engine does of a read', () => {
  const read = async () => async () => ({ docs, state: 'answered' as const, total: 3 })

  test('[PL4] the question is answered before its documents are given', async () => {
    const { told, given } = await readOf(read)
    expect([told, given]).toEqual([[{ fetchRequest, state: 'answered', total: 3 }], docs])
  })

  test('[ST4] an answer that cannot be written gives its error instead of the documents', async () => {
    const error = new Error('full disk')
    expect((await readOf(read, { answer: () => Promise.reject(error) })).given).toBe(error)
  })

  test.each<[Outcome, object[]]>([
    [broken, [{ fetchRequest, state: 'failed', total: 0 }]],
    [gone, []],
  ])(
    '[PL8] after %j the question is told only that the CRM said that it cannot: without an answer it may still come',
    async (outcome, answers) => {
      const { told, ended } = await fails(outcome)
      expect([told, ended]).toEqual([answers, [[outcome, 1]]])
    },
  )

  test('[PL8] a failure that the device cannot write down is an error of the device', async () => {
    const error = new Error('full disk')
    expect((await fails(broken, { answer: () => Promise.reject(error) })).given).toBe(error)
  })
})

describe('[PL8] what failed', () => {
  /** @returns how the gate was closed: the Retry-After of each time */
  async function gateAfter(outcome: Outcome, accepted: readonly number[], isBlocked = false) {
    const closed: unknown[] = []
    const problems: string[] = []
    const counts = [...accepted]
    const gate = {
      ...alone().gate,
      failed: (ms?: number) => void closed.push(ms),
      isBlocked: () => isBlocked,
    }
    const report = (problem: string) => void problems.push(problem)
    const found = await fails(outcome, { gate, report, accepted: () => counts.shift() ?? 0 })
    return { ...found, closed, problems }
  }

  test.each<Outcome>([
    { kind: 'unauthorized', status: 401 },
    { kind: 'unreachable', held: true },
  ])('%j is no failure of its own: the gate waits, if it would not anyway', async (outcome) => {
    const open = await gateAfter(outcome, [])
    expect([open.closed, open.engine.triesOf('q'), open.ended]).toEqual([[0], 0, []])
    expect(open.given).toBeInstanceOf(PullAgain)
    expect((await gateAfter(outcome, [], true)).closed).toEqual([])
  })

  test.each<Outcome>([{ kind: 'unauthorized', status: 401 }, gone, broken, { ...busy, retryAfterMs: 7_000 }])(
    '[OC4] after %j the gate hears when the read began, since those that fail side by side are one failure',
    async (outcome) => {
      const failed = vi.fn<EngineParts['gate']['failed']>()
      const ticks = { ...TICKS, now: () => 42 }
      await fails(outcome, { gate: { ...alone().gate, failed }, ticks })
      expect(failed.mock.calls).toEqual([[outcome.kind === 'throttled' ? 7_000 : 0, 42]])
    },
  )

  test('where nothing was accepted meanwhile has the gate wait, and RxDB hears of it', async () => {
    const { closed, given, engine, problems } = await gateAfter(broken, [7, 7])
    expect([closed, engine.triesOf('q'), problems]).toEqual([[0], 1, []])
    expect(given).toBeInstanceOf(PullAgain)
  })

  test('where something was accepted waits alone and is reported', async () => {
    const { closed, given, engine, problems } = await gateAfter(broken, [7, 8])
    expect([closed, given, problems]).toEqual([[], [], ['q: 500']])
    expect([engine.hasOwnFailure('q'), engine.mayStart('q'), engine.isStillTried('q')]).toEqual([
      true,
      false,
      true,
    ])
    engine.clear()
    expect([engine.mayStart('q'), engine.triesOf('q'), engine.isStillTried('q')]).toEqual([true, 1, true])
  })

  test('[OC4] with a Retry-After has the gate wait as long, also where it is its own trouble', async () => {
    const outcome: Outcome = { kind: 'throttled', status: 429, retryAfterMs: 7_000 }
    expect((await gateAfter(outcome, [7, 7])).closed).toEqual([7_000])
  })

  test('a question is tried ten times, and one that did not fail is not tried again', async () => {
    const works = [listOf('q', async () => gone)]
    const { engine, turn } = pullOf({}, () => works)
    expect(engine.isStillTried('q')).toBe(false)
    for (let tries = 1; tries <= 10; tries++) {
      await turn()
      expect([engine.triesOf('q'), engine.isStillTried('q')]).toEqual([tries, tries < 10])
    }
  })
})

describe('[PL9] what is offered', () => {
  test.each<[boolean, boolean, boolean]>([
    [true, true, true],
    [true, false, false],
    [false, false, true],
  ])('[PL10] paced: %s, where the pace allows it: %s: begins: %s', async (isPaced, isAllowed, begins) => {
    const work = { ...listOf('a', async () => gone), isPaced }
    const begun: boolean[] = []
    const { engine, turn } = pullOf({ pacer: { grant: () => isAllowed } }, () => {
      begun.push(engine.offer(work))
      return []
    })
    await turn()
    expect(begun[0]).toBe(begins)
  })

  test('for a screen goes instead of the read for nobody, which is aborted and covered', async () => {
    const signals: AbortSignal[] = []
    const pending: Work<never> = {
      name: 'a',
      priority: 'background',
      read: ({ signal }) => {
        signals.push(signal)
        return new Promise(() => undefined)
      },
    }
    const works = [pending, { ...pending, name: 'q', priority: 'screen' as const, replaces: 'a' }]
    const { engine, turn } = pullOf({}, () => works.splice(0))
    void turn()
    await vi.waitFor(() => expect(signals).toHaveLength(2))
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    expect([engine.isCovered('a'), engine.mayStart('a'), engine.isCovered('b')]).toEqual([true, true, false])
    // what was dropped has its place until its call has ended
    expect(engine.free('background')).toBe(1)
  })
})

test('[EX1] what expired while the gate was closed is given, and an error of the gate is thrown', async () => {
  const error = new Error('the storage is gone')
  const gate = { ...alone().gate, passed: () => Promise.reject(error) }
  await expect(pullOf({ gate }, () => []).engine.handler()).rejects.toBe(error)
})

describe('[PL11] documents', () => {
  function readyDocs(isBusy = true) {
    const timer$ = new Subject<void>()
    const ticks = { now: () => 0, after$: () => timer$ }
    const recheck = vi.fn<() => void>()
    const ready = createReadyDocs<string>(ticks, new Subject(), () => isBusy, recheck)
    return { ...ready, timer$, recheck }
  }
  const many = (length: number) => Array.from({ length }, (_, n) => `d${n}`)

  test('that nobody waits for are collected, until the time is over', () => {
    const ready = readyDocs()
    ready.add(['a'], 'background')
    ready.add(['b'], 'local')
    expect([ready.isAny(), ready.take()]).toEqual([false, []])
    ready.timer$.next()
    expect(ready.recheck).toHaveBeenCalledOnce()
    expect(ready.take()).toEqual(['a', 'b'])
  })
  test('are not collected where nothing is being read, nor where there are many', () => {
    const idle = readyDocs(false)
    idle.add(['a'], 'background')
    expect(idle.take()).toEqual(['a'])
    const full = readyDocs()
    full.add(many(GATHERED_MAX - 1), 'background')
    expect(full.isAny()).toBe(false)
    full.add(['x'], 'background')
    expect(full.take()).toHaveLength(GATHERED_MAX)
  })
  test.each(['screen', 'window'])('for a %s take along what waits', (priority) => {
    const ready = readyDocs()
    ready.add(['a'], 'background')
    ready.add([], priority)
    expect(ready.isAny()).toBe(false)
    ready.add(['b'], priority)
    // behind what is given at once nothing is collected
    ready.add(['c'], 'background')
    expect(ready.take()).toEqual(['a', 'b', 'c'])
  })
  test('are given in portions: RxDB writes each in one go', () => {
    const ready = readyDocs()
    ready.add(many(2 * DOCS_PER_CALL + 50), 'screen')
    expect([1, 2, 3, 4].map(() => ready.take().length)).toEqual([DOCS_PER_CALL, DOCS_PER_CALL, 50, 0])
  })
  test('go before errors; of several errors the first is thrown, once', () => {
    const ready = readyDocs()
    const error = new Error('one')
    ready.add(['a'], 'screen')
    ready.fail(error)
    ready.fail(new Error('two'))
    expect(ready.take()).toEqual(['a'])
    expect(ready.isAny()).toBe(true)
    expect(() => ready.take()).toThrow(error)
    expect([ready.isAny(), ready.take()]).toEqual([false, []])
  })
})
