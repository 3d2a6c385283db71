/** The pull engine's step, case by case: each event in each situation. Its laws are in `pull-engine.test.ts`. */
import { describe, expect, test } from 'vitest'
import {
  admissionOf,
  DOCS_PER_CALL,
  isStillTried,
  mayStart,
  startState,
  triesOf,
  type PullEvent,
  type PullState,
  type Task,
} from '#sync/pull/engine/engine-state.ts'
import { step } from '#sync/pull/engine/engine-step.ts'
import { listOf, pullOf } from '../../support/pull-parts.ts'
import { reading, taskNamed as task, troubleOf as trouble } from '../../support/pull-reads.ts'

type State = PullState<string>

const stateOf = (more: Partial<State> = {}): State => ({ ...startState<string>({ lists: 2 }), ...more })
const now = { now: 500, accepted: 9 }

/** One event: what is asked of the effects, and what changed of the state. */
function told(more: Partial<State>, event: PullEvent<string>) {
  const before = stateOf(more)
  const { state, commands } = step(before, event)
  return { state, commands }
}
describe('[PL9] RxDB calls', () => {
  test('and the gate is asked, once', () => {
    const { state, commands } = told({}, { kind: 'called' })
    expect(commands).toEqual([{ kind: 'pass' }])
    expect(state).toMatchObject({ phase: 'gate', gate: { kind: 'passing' }, isRecheckDue: false })
    const again = told({ gate: { kind: 'passing' } }, { kind: 'called' })
    expect([again.state.phase, again.commands]).toEqual(['gate', []])
  })

  test('and what came meanwhile is given, the rest at the next turn', () => {
    const readyDocs = Array.from({ length: DOCS_PER_CALL + 1 }, (_, n) => `d${n}`)
    const { state, commands } = told({ readyDocs, isGathering: true }, { kind: 'called' })
    expect(commands).toEqual([{ kind: 'deliver', docs: readyDocs.slice(0, DOCS_PER_CALL) }])
    expect(state).toMatchObject({ phase: 'idle', readyDocs: ['d100'], isGathering: false })
  })

  test('and what went wrong meanwhile is thrown, once', () => {
    const [error, other] = [new Error('one'), new Error('two')]
    const { state, commands } = told({ failures: [error, other] }, { kind: 'called' })
    expect(commands).toEqual([{ kind: 'throw', error }])
    expect(state).toMatchObject({ phase: 'idle', failures: [] })
  })

  test('and a gate that opened before the call is gone through', () => {
    const open = told({ gate: { kind: 'passed', expired: [] } }, { kind: 'called' })
    expect(open.commands).toEqual([{ kind: 'plan', isOpen: true }])
    expect(open.state).toMatchObject({ phase: 'planning', gate: { kind: 'idle' }, isClosed: false })
    const error = new Error('the storage is gone')
    const broken = told({ gate: { kind: 'broken', error } }, { kind: 'called' })
    expect(broken.commands).toEqual([{ kind: 'throw', error }])
    expect(broken.state).toMatchObject({ phase: 'idle', gate: { kind: 'idle' } })
  })

  test('and a plan beside a closed gate is made only where news came since', () => {
    const asked = { kind: 'passing' } as const
    expect(told({ gate: asked, isRecheckDue: true }, { kind: 'called' }).commands).toEqual([])
    const rung = told({ phase: 'waiting', gate: asked, isClosed: true }, { kind: 'recheck' })
    expect(rung.commands).toEqual([{ kind: 'plan', isOpen: false }])
    const open = told({ phase: 'waiting', gate: asked }, { kind: 'recheck' })
    expect([open.commands, open.state.phase, open.state.isRecheckDue]).toEqual([[], 'gate', false])
  })
})

describe('[OC4] the gate', () => {
  const asked = { phase: 'gate', gate: { kind: 'passing' } } as const

  test('opens: there is a plan, and what a recheck was for is in it', () => {
    const { state, commands } = told(
      { ...asked, isClosed: true, isRecheckDue: true },
      { kind: 'passed', expired: [] },
    )
    expect(commands).toEqual([{ kind: 'plan', isOpen: true }])
    expect(state).toMatchObject({
      phase: 'planning',
      gate: { kind: 'idle' },
      isClosed: false,
      isRecheckDue: false,
    })
  })

  test('opens, and what expired is told first', () => {
    const { state, commands } = told(asked, { kind: 'passed', expired: ['old'] })
    expect(commands).toEqual([{ kind: 'deliver', docs: ['old'] }])
    expect(state).toMatchObject({ phase: 'idle', gate: { kind: 'idle' } })
  })

  test('that opens while something else goes on is gone through later', () => {
    const gate = { kind: 'passed', expired: ['old'] } as const
    expect(told({ phase: 'planning' }, gate)).toMatchObject({
      state: { phase: 'planning', gate },
      commands: [],
    })
  })

  test('that broke is thrown', () => {
    const error = new Error('no')
    const { state, commands } = told(asked, { kind: 'gateBroke', error })
    expect(commands).toEqual([{ kind: 'throw', error }])
    expect(state).toMatchObject({ phase: 'idle', gate: { kind: 'idle' } })
  })

  test('is closed: news has a plan beside it', () => {
    const { state, commands } = told(asked, { kind: 'recheck' })
    expect(commands).toEqual([{ kind: 'plan', isOpen: false }])
    expect(state).toMatchObject({
      phase: 'planning',
      gate: { kind: 'passing' },
      isClosed: true,
      isRecheckDue: false,
    })
  })
})

describe('[PL9] what is offered', () => {
  const planning = { phase: 'planning' } as const
  const offer = (one: Task, more: Partial<State> = {}) =>
    admissionOf(stateOf({ ...planning, ...more }), one, now.now)

  test('begins, and is known by what the clock and the CRM said then', () => {
    const { state, commands } = told({ ...planning, lastId: 3 }, { kind: 'begun', task: task('a'), ...now })
    expect([state.lastId, commands]).toEqual([4, []])
    expect(state.reads).toEqual([reading(4, 'a', { begunAt: 500, acceptedBefore: 9 })])
  })

  test.each<[string, Partial<State>]>([
    ['outside of a plan', { phase: 'waiting' }],
    ['while its lane is full', { reads: [reading(1, 'b'), reading(2, 'c')] }],
    [
      'while what was dropped still has the place',
      { reads: [reading(1, 'b'), reading(2, 'c', { isDropped: true })] },
    ],
    ['while it is being read', { reads: [reading(1, 'a')] }],
    ['before its back-off is over', { troubles: new Map([['a', trouble()]]) }],
    ['beside a closed gate', { isClosed: true }],
    ['in a lane that nobody knows', { lanes: {} }],
  ])('does not begin %s', (_, more) => expect(offer(task('a'), more)).toBe('no'))

  test.each<[string, Partial<State>]>([
    ['beside others', { reads: [reading(1, 'b', { lane: 'other' }), reading(2, 'c')] }],
    ['after a back-off', { troubles: new Map([['a', trouble({ notBefore: 500 })]]) }],
    ['though it was dropped before', { reads: [reading(1, 'a', { isDropped: true })] }],
  ])('begins %s', (_, more) => expect(offer(task('a'), more)).toBe('free'))

  test('[PL10] asks its pace where it is only to be confirmed', () => {
    expect(offer(task('a', { isPaced: true }))).toBe('pace')
  })

  test('[PL8b] asks to hurry beside a closed gate where a screen waits, and it has not failed yet', () => {
    const one = task('a', { isForScreen: true })
    expect(offer(one, { isClosed: true })).toBe('hurry')
    const failed = new Map([['a', trouble({ isOwn: false })]])
    expect(offer(one, { isClosed: true, troubles: failed })).toBe('no')
    expect(offer(one, { troubles: failed })).toBe('free')
  })

  test.each<[Partial<Task>, boolean, boolean]>([
    [{ isPaced: true }, true, true],
    [{ isPaced: true }, false, false],
    [{}, false, true],
  ])('[PL10] %j begins where the pace allows %s: %s', async (more, isAllowed, begins) => {
    const work = { ...listOf('a', async () => ({ kind: 'unreachable' }) as const), ...more }
    const begun: boolean[] = []
    const { engine, turn } = pullOf({ pacer: { grant: () => Number(isAllowed) } }, () => {
      begun.push(engine.offer(work))
      return []
    })
    await turn()
    expect(begun[0]).toBe(begins)
  })

  test('for a screen goes instead of the read for nobody, which is dropped', () => {
    const one = task('q', { replaces: 'a' })
    const { state, commands } = told(
      { ...planning, reads: [reading(1, 'a')], lastId: 1 },
      { kind: 'begun', task: one, ...now },
    )
    expect(commands).toEqual([{ kind: 'abort', id: 1 }])
    expect(state.reads.map(({ name, isDropped }) => [name, isDropped])).toEqual([
      ['a', true],
      ['q', false],
    ])
  })
})

describe('[PL9] a plan', () => {
  const planned = (more: Partial<State>, docs: readonly string[] | null = null) =>
    told({ phase: 'planning', ...more }, { kind: 'planned', docs })

  test('that has documents without a call gives them', () => {
    const { state, commands } = planned({ reads: [reading(1, 'a')] }, ['d'])
    expect([state.phase, commands]).toEqual(['idle', [{ kind: 'deliver', docs: ['d'] }]])
  })

  test('with reads under way waits for them; without any, RxDB is told that this was all', () => {
    expect(planned({ reads: [reading(1, 'a')] })).toMatchObject({ state: { phase: 'waiting' }, commands: [] })
    expect(planned({})).toMatchObject({ state: { phase: 'idle' }, commands: [{ kind: 'deliver', docs: [] }] })
    const dropped = planned({ reads: [reading(1, 'a', { isDropped: true })] })
    expect(dropped.commands).toEqual([{ kind: 'deliver', docs: [] }])
  })

  test.each<[string, Partial<State>, readonly string[] | null]>([
    ['there is more to begin', {}, []],
    ['it was made beside a closed gate', { isClosed: true }, null],
    ['another read became possible meanwhile', { isRecheckDue: true, reads: [reading(1, 'a')] }, null],
  ])('has another turn where %s', (_, more, docs) => {
    const { state, commands } = planned(more, docs)
    expect([state.phase, commands]).toEqual(['gate', [{ kind: 'pass' }]])
  })

  test('gives what came while it was made, and throws what went wrong', () => {
    expect(planned({ readyDocs: ['d'], reads: [reading(1, 'a')] }).commands).toEqual([
      { kind: 'deliver', docs: ['d'] },
    ])
    const error = new Error('no')
    expect(planned({ failures: [error], reads: [reading(1, 'a')] }).commands).toEqual([
      { kind: 'throw', error },
    ])
  })

  test('beside a closed gate does not go round by itself: the next turn waits for news', () => {
    const { state, commands } = planned({ isClosed: true, gate: { kind: 'passing' } })
    expect([state.phase, state.isClosed, commands]).toEqual(['gate', true, []])
    const rung = planned({ isClosed: true, gate: { kind: 'passing' }, isRecheckDue: true })
    expect(rung.commands).toEqual([{ kind: 'plan', isOpen: false }])
  })

  test('that broke is thrown', () => {
    const error = new Error('no')
    const { state, commands } = told({ phase: 'planning' }, { kind: 'planBroke', error })
    expect([state.phase, commands]).toEqual(['idle', [{ kind: 'throw', error }]])
  })
})

describe('[PL9] news', () => {
  test.each(['idle', 'planning'] as const)('while the engine is %s is kept for the next turn', (phase) => {
    const { state, commands } = told({ phase }, { kind: 'recheck' })
    expect([state.phase, state.isRecheckDue, commands]).toEqual([phase, true, []])
  })

  test('ends a wait', () =>
    expect(told({ phase: 'waiting' }, { kind: 'recheck' }).commands).toEqual([{ kind: 'pass' }]))

  test('[PL11] that what came has waited long enough has it given', () => {
    const reads = [reading(1, 'b')]
    const { state, commands } = told(
      { phase: 'waiting', readyDocs: ['d'], isGathering: true, reads },
      { kind: 'gathered' },
    )
    expect([state.isGathering, commands]).toEqual([false, [{ kind: 'deliver', docs: ['d'] }]])
    const idle = told({ readyDocs: ['d'], isGathering: true, reads }, { kind: 'gathered' })
    expect(idle.state).toMatchObject({ isGathering: false, isRecheckDue: true, readyDocs: ['d'] })
  })

  test('[PL8] that somebody wants everything ends all back-offs', () => {
    const { state, commands } = told(
      { troubles: new Map([['a', trouble({ tries: 7 })]]) },
      { kind: 'cleared' },
    )
    expect([mayStart(state, 'a', 0), commands]).toEqual([true, []])
  })

  test.each([1, 9, 10, 40])(
    '[PL8] and no question that failed %d times is forgotten by that: it is tried as if it had failed once',
    (tries) => {
      const { state } = told({ troubles: new Map([['a', trouble({ tries })]]) }, { kind: 'cleared' })
      expect([isStillTried(state, 'a'), triesOf(state, 'a')]).toEqual([true, 1])
    },
  )

  test('after the stop is none', () => {
    expect(told({}, { kind: 'stopped' })).toMatchObject({ state: { phase: 'stopped' }, commands: [] })
    expect(told({ phase: 'stopped' }, { kind: 'called' })).toMatchObject({
      state: { phase: 'stopped' },
      commands: [],
    })
  })
})
