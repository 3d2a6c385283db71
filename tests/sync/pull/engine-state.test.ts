/** What the pull engine's plan asks of its state (RULES PL8, PL11). */
import { describe, expect, test } from 'vitest'
import {
  GATHERED_MAX,
  freePlaces,
  hasReadyDocs,
  hasOwnFailure,
  isCovered,
  isStillTried,
  mayStart,
  startState,
  triesOf,
  type PullState,
  type Read,
} from '#sync/pull/engine/engine-state.ts'
import { reading, troubleOf as trouble } from '../../support/pull-reads.ts'

const stateOf = (more: Partial<PullState<string>> = {}): PullState<string> => ({
  ...startState<string>({ lists: 2 }),
  ...more,
})

describe('what the plan asks of the state', () => {
  test('[PL11] what came waits for more only while it gathers, is little, and something is being read', () => {
    const waiting = { readyDocs: ['d'], isGathering: true, reads: [reading(1, 'a')] }
    expect(hasReadyDocs(waiting)).toBe(false)
    expect(hasReadyDocs({ ...waiting, readyDocs: [] })).toBe(false)
    expect(hasReadyDocs({ ...waiting, isGathering: false })).toBe(true)
    expect(hasReadyDocs({ ...waiting, reads: [] })).toBe(true)
    expect(hasReadyDocs({ ...waiting, reads: [reading(1, 'a', { isDropped: true })] })).toBe(true)
    const many = Array.from({ length: GATHERED_MAX }, () => 'd')
    expect([
      hasReadyDocs({ ...waiting, readyDocs: many }),
      hasReadyDocs({ ...waiting, readyDocs: many.slice(1) }),
    ]).toEqual([true, false])
  })

  test('what a screen has read instead is covered, what was dropped is not', () => {
    const covered = (...reads: Read<string>[]) => isCovered(stateOf({ reads }), 'a')
    expect(covered(reading(1, 'a'))).toBe(true)
    expect(covered(reading(1, 'q', { replaces: 'a' }))).toBe(true)
    expect(covered(reading(1, 'a', { isDropped: true }))).toBe(false)
    expect(covered(reading(1, 'b'))).toBe(false)
  })

  test('[PL8] a question that failed is tried nine times more, one that did not fail is not tried again', () => {
    const after = (tries: number) =>
      isStillTried(stateOf({ troubles: new Map([['q', trouble({ tries })]]) }), 'q')
    expect([after(1), after(9), after(10)]).toEqual([true, true, false])
    expect([isStillTried(stateOf(), 'q'), triesOf(stateOf(), 'q')]).toEqual([false, 0])
  })

  test('[PL8] alone is what failed by itself and is not being tried', () => {
    const alone = (isOwn: boolean, ...reads: Read<string>[]) =>
      hasOwnFailure(stateOf({ reads, troubles: new Map([['a', trouble({ isOwn })]]) }), 'a')
    expect([alone(true), alone(false)]).toEqual([true, false])
    expect([alone(true, reading(1, 'a')), alone(true, reading(1, 'b'))]).toEqual([false, true])
    expect(hasOwnFailure(stateOf(), 'a')).toBe(false)
  })

  test('a lane has as many places as it says, and those of a lane that is not there are none', () => {
    const state = stateOf({ reads: [reading(1, 'a'), reading(2, 'b', { lane: 'other' })] })
    expect([freePlaces(state, 'lists'), freePlaces(state, 'other')]).toEqual([1, -1])
    expect([mayStart(state, 'a', 0), mayStart(state, 'c', 0)]).toEqual([false, true])
  })

  test('at the start nothing is known, asked or under way', () =>
    expect(startState({ lists: 2 })).toEqual({
      phase: 'idle',
      gate: { kind: 'idle' },
      isClosed: false,
      isRecheckDue: false,
      lanes: { lists: 2 },
      lastId: 0,
      reads: [],
      troubles: new Map(),
      snapshots: new Map(),
      readyDocs: [],
      failures: [],
      isGathering: false,
    }))
})
