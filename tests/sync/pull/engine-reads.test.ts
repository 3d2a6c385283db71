/** The pull engine's step about reads under way, case by case: merged, answered, failed, dropped (RULES PL1, PL8). */
import { describe, expect, test } from 'vitest'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { startState, type PullEvent, type PullState, type Read } from '#sync/pull/engine/engine-state.ts'
import { step } from '#sync/pull/engine/engine-step.ts'
import type { EngineParts, Work } from '#sync/pull/engine/engine.ts'
import { mergeHow, NO_PAGES, type Page, type Snapshot } from '#sync/pull/engine/snapshot.ts'
import { PullAgain } from '#sync/scheduler/read-backoff.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { pullOf } from '../../support/pull-parts.ts'
import { reading, troubleOf as trouble } from '../../support/pull-reads.ts'

type State = PullState<string>
const ASKED = { key: 'k', askedAt: 'then' }

/** Said to an engine that is idle: nothing goes on by itself. */
const told = (more: Partial<State>, event: PullEvent<string>) =>
  step({ ...startState<string>({ lists: 2 }), ...more }, event)

const gone: Outcome = { kind: 'unreachable' }
const broken: Outcome = { kind: 'unknown', status: 500 }
const a = reading(1, 'a')
const b = reading(2, 'b')

describe('of what is not under way any more', () => {
  const late: PullEvent<string>[] = [
    { kind: 'merged', id: 9, docs: ['d'] },
    { kind: 'ended', id: 9 },
    { kind: 'ended', id: 9, error: new Error('no') },
    {
      kind: 'failed',
      id: 9,
      outcome: { kind: 'unreachable' },
      error: 1,
      random: 0,
      isBlocked: false,
      now: 0,
      accepted: 0,
    },
  ]
  test.each(late.map((event) => [event.kind, event] as const))('%s changes nothing', (_, event) => {
    const { state, commands } = told({ reads: [a] }, event)
    expect([state.reads, state.readyDocs, state.failures, commands]).toEqual([[a], [], [], []])
  })
})

describe('[PL1] what was read is merged', () => {
  const keys = Array.from({ length: PAGE_SIZE }, (_, n) => `${n}`)
  const full: Page = { kind: 'page', keys, size: PAGE_SIZE, total: PAGE_SIZE + 1, unreadable: false }
  const last: Page = { ...full, keys: ['x'], size: 1 }
  const merged = (snapshot: Snapshot | undefined, more: Partial<State> = {}) =>
    told({ reads: [a, b], ...more }, { kind: 'merged', id: 1, docs: [], snapshot }).state.snapshots

  test('a single record removes nothing, a list in one piece only where it is complete', () => {
    const how = { isLast: true, isEndless: false, snapshot: NO_PAGES }
    for (const [page, removes] of [
      [undefined, false],
      [{ kind: 'whole', isComplete: false }, false],
      [{ kind: 'whole', isComplete: true }, true],
    ] as const)
      expect(mergeHow(NO_PAGES, page)).toEqual({ ...how, removes })
  })

  test('a page that is not the last removes nothing, and is kept for the next once its rows are merged', () => {
    const { snapshot, ...how } = mergeHow(NO_PAGES, full)
    expect(how).toEqual({ isLast: false, removes: false, isEndless: false })
    expect(merged(snapshot).get('a')).toMatchObject({ counted: PAGE_SIZE, totals: [PAGE_SIZE + 1] })
  })

  test('the last page goes with those before it, removes what all of them lack, and nothing is kept', () => {
    const before = { seen: new Set(keys), counted: PAGE_SIZE, totals: [PAGE_SIZE + 1], unreadable: false }
    const how = { isLast: true, removes: true, snapshot: { counted: PAGE_SIZE + 1 } }
    expect(mergeHow(before, last)).toMatchObject(how)
    expect(merged(undefined, { snapshots: new Map([['a', before]]) }).size).toBe(0)
    expect(mergeHow(before, { ...last, unreadable: true })).toMatchObject({ isLast: true, removes: false })
  })

  test('a page of what was dropped meanwhile is not kept', () => {
    expect(merged(NO_PAGES, { reads: [{ ...a, isDropped: true }] }).size).toBe(0)
  })
})

describe('what was merged', () => {
  const merged: PullEvent<string> = { kind: 'merged', id: 1, docs: ['d'] }

  test('waits for its end, then is given at the next turn, and its back-off is over', () => {
    const troubles = new Map([
      ['a', trouble()],
      ['b', trouble()],
    ])
    const { state, commands } = told({ reads: [a, b], readyDocs: ['c'], troubles }, merged)
    expect(commands).toEqual([])
    expect(state).toMatchObject({ reads: [{ id: 1, docs: ['d'] }, b], readyDocs: ['c'] })
    expect([...state.troubles.keys()]).toEqual(['b'])
    // what is told to the step is a value: nobody else's is changed
    expect(troubles.size).toBe(2)
    expect(step(state, { kind: 'ended', id: 1 })).toMatchObject({
      state: { reads: [b], readyDocs: ['c', 'd'], failures: [], isRecheckDue: true, isGathering: false },
      commands: [],
    })
  })

  test('whose answer could not be written is given to nobody, and the error is', () => {
    const error = new Error('full disk')
    const { state } = told({ reads: [{ ...a, docs: ['d'] }] }, { kind: 'ended', id: 1, error })
    expect(state).toMatchObject({ reads: [], readyDocs: [], failures: [error] })
  })

  test('and was dropped is given, but its failure is nobody’s', () => {
    const dropped = { ...a, isDropped: true, docs: ['d'] }
    expect(told({ reads: [dropped] }, { kind: 'ended', id: 1 }).state.readyDocs).toEqual(['d'])
    const broke = told({ reads: [dropped] }, { kind: 'ended', id: 1, error: new Error('no') })
    expect(broke.state).toMatchObject({ reads: [], readyDocs: [], failures: [] })
  })
})

describe('[PL11] what nobody waits for', () => {
  const ends = (read: Partial<Read<string>>, more: Partial<State> = {}) =>
    told({ reads: [{ ...a, docs: ['d'], ...read }, b], ...more }, { kind: 'ended', id: 1 })
  const gathered = { isGathered: true }

  test('begins to gather with the first documents', () => {
    const { state, commands } = ends(gathered)
    expect([state.isGathering, commands]).toEqual([true, [{ kind: 'gather' }]])
  })

  test.each<[string, Partial<Read<string>>, Partial<State>, boolean]>([
    ['more of it goes on gathering', gathered, { readyDocs: ['c'], isGathering: true }, true],
    ['nothing new changes nothing of it', { docs: [] }, { readyDocs: ['c'], isGathering: true }, true],
    ['what a screen waits for is given at once', {}, {}, false],
    ['nothing new begins nothing', { ...gathered, docs: [] }, {}, false],
    ['what a screen waits for takes along what waits', {}, { readyDocs: ['c'], isGathering: true }, false],
    ['behind what waits to be given at once it does not gather', gathered, { readyDocs: ['c'] }, false],
  ])('%s', (_, read, more, isGathering) => {
    const { state, commands } = ends(read, more)
    expect([state.isGathering, commands]).toEqual([isGathering, []])
  })
})

describe('what is dropped', () => {
  const snapshots = new Map([
    ['a', NO_PAGES],
    ['b', NO_PAGES],
  ])

  test('while it is read is aborted, and keeps its pages until it has ended', () => {
    const { state, commands } = told({ reads: [a, b], snapshots }, { kind: 'dropped', name: 'a' })
    expect(commands).toEqual([{ kind: 'abort', id: 1 }])
    expect(state.reads).toEqual([{ ...a, isDropped: true }, b])
    expect([...state.snapshots.keys()]).toEqual(['a', 'b'])
  })

  test('while it is not read loses its pages; once more, nothing', () => {
    const reads = [{ ...a, isDropped: true }, b]
    const { state, commands } = told({ reads, snapshots }, { kind: 'dropped', name: 'a' })
    expect([state.reads, [...state.snapshots.keys()], commands]).toEqual([reads, ['b'], []])
  })
})

describe('[PL8] what failed', () => {
  const error = new Error('the read')
  const fails = (
    outcome: Outcome,
    more: Partial<State> = {},
    at: { accepted?: number; isBlocked?: boolean } = {},
  ) =>
    told(
      { reads: [a, b], ...more },
      { kind: 'failed', id: 1, outcome, error, random: 0, isBlocked: false, now: 2_000, accepted: 7, ...at },
    )
  const close = (retryAfterMs: number) => ({ kind: 'close', retryAfterMs, begunAt: 100 })

  test.each<[string, Outcome]>([
    ['for want of a session', { kind: 'unauthorized', status: 401 }],
    ['as the circuit let nothing out', { kind: 'unreachable', held: true }],
  ])('%s is no failure of its own: the gate waits, if it would not anyway', (_, outcome) => {
    const { state, commands } = fails(outcome)
    expect(commands).toEqual([close(0)])
    expect(state).toMatchObject({ reads: [b], failures: [error] })
    expect(state.troubles.size).toBe(0)
    expect(fails(outcome, {}, { isBlocked: true }).commands).toEqual([])
  })

  test('where nothing was accepted meanwhile has the gate wait, and RxDB hears of it', () => {
    const { state, commands } = fails(gone)
    expect(commands).toEqual([close(0)])
    expect(state.troubles.get('a')).toMatchObject({
      tries: 1,
      notBefore: 2_500,
      acceptedBefore: 7,
      isOwn: false,
    })
    expect(state.reads).toEqual([{ ...a, error }, b])
    expect(step(state, { kind: 'ended', id: 1 }).state).toMatchObject({ reads: [b], failures: [error] })
  })

  test('and was dropped is not heard of', () => {
    const { state } = fails(gone, { reads: [{ ...a, isDropped: true }] })
    expect(step(state, { kind: 'ended', id: 1 }).state).toMatchObject({ reads: [], failures: [] })
  })

  test('where something was accepted waits alone: reported once, woken when its time has come', () => {
    const { state, commands } = fails(broken, {}, { accepted: 8 })
    expect(commands).toEqual([
      { kind: 'report', problem: 'a: 500' },
      { kind: 'wake', at: 2_501 },
    ])
    const ended = step(state, { kind: 'ended', id: 1 }).state
    expect([ended.failures, ended.troubles.get('a')?.isOwn]).toEqual([[], true])
    const known = fails(broken, { troubles: new Map([['a', trouble({ tries: 3 })]]) })
    expect(known.commands).toEqual([{ kind: 'wake', at: 6_001 }])
    expect(known.state.troubles.get('a')?.tries).toBe(4)
  })

  test('is named by what it was, where there is no status', () => {
    const troubles = new Map([['a', trouble({ isOwn: false })]])
    expect(fails(gone, { troubles }, { accepted: 8 }).commands[0]).toEqual({
      kind: 'report',
      problem: 'a: unreachable',
    })
  })

  test('is woken with the first of those that wait alone, and for no other', () => {
    const wakes = (others: [string, ReturnType<typeof trouble>][]) =>
      fails(broken, { troubles: new Map(others) }, { accepted: 8 }).commands.filter(
        ({ kind }) => kind === 'wake',
      )
    expect(wakes([['b', trouble({ notBefore: 2_100 })]])).toEqual([{ kind: 'wake', at: 2_101 }])
    expect(wakes([['b', trouble({ notBefore: 9_000 })]])).toEqual([{ kind: 'wake', at: 2_501 }])
    // over already, or perhaps the CRM's: the gate waits for that
    expect(wakes([['b', trouble({ notBefore: 2_000 })]])).toEqual([{ kind: 'wake', at: 2_501 }])
    expect(wakes([['b', trouble({ notBefore: 2_100, isOwn: false })]])).toEqual([{ kind: 'wake', at: 2_501 }])
  })

  test('[OC4] with a Retry-After has the gate wait as long, also where it is its own trouble', () => {
    const outcome: Outcome = { kind: 'throttled', status: 429, retryAfterMs: 7_000 }
    expect(fails(outcome).commands[0]).toEqual(close(7_000))
    const own = fails(outcome, { troubles: new Map([['a', trouble()]]) }).commands
    expect(own.map(({ kind }) => kind)).toEqual(['close', 'wake'])
    expect(own[0]).toEqual(close(7_000))
  })
})

describe('what the engine does of a read', () => {
  const asked = ASKED
  /** One read of a question, at one turn of RxDB. */
  async function readOf(read: Work<never>['read'], answer: EngineParts['answer']) {
    const ended: unknown[] = []
    const failed = async (...failure: unknown[]) => ended.push(failure)
    const works: Work<never>[] = [{ name: 'q', lane: 'lists', fetchRequest: asked, read, failed }]
    const given = await pullOf({ answer }, () => works.splice(0))
      .engine.handler()
      .catch((error: unknown) => error)
    return { given, ended }
  }
  const docs = ['d'] as never[]

  test('[PL4] the question is answered before its documents are given', async () => {
    const order: unknown[] = []
    const answer = { fetchRequest: asked, state: 'answered', total: 3 } as const
    const { given } = await readOf(
      async () => ({ merge: async () => ({ docs, answer }) }),
      async (one) => void order.push(one),
    )
    expect([order, given]).toEqual([[answer], docs])
  })

  test('[ST4] an answer that cannot be written gives its error instead of the documents', async () => {
    const error = new Error('full disk')
    const answer = { fetchRequest: asked, state: 'answered', total: 3 } as const
    const { given } = await readOf(
      async () => ({ merge: async () => ({ docs, answer }) }),
      () => Promise.reject(error),
    )
    expect(given).toBe(error)
  })

  test.each<[Outcome, object[]]>([
    [broken, [{ fetchRequest: asked, state: 'failed', total: 0 }]],
    [gone, []],
  ])(
    '[PL8] after %j the question is told only that the CRM said that it cannot: without an answer it may still come',
    async (outcome, answers) => {
      const told: object[] = []
      const { ended } = await readOf(
        () => Promise.reject(new PullAgain(outcome)),
        async (one) => void told.push(one),
      )
      expect([told, ended]).toEqual([answers, [[outcome, 1]]])
    },
  )
})
