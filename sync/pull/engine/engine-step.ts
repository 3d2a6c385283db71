/**
 * The step of the pull engine: what is told to it makes the next state, and asks something of the effects
 * (decisions/pull). Pure, and the same for all resources.
 *
 *     called ─→ gate ─→ plan ─→ offered: read │ ask its leave │ nothing ─→ planned ─→ documents │ wait │ an empty list
 *     read ─→ merge, with removals where a snapshot is complete ─→ merged ─→ answer ─→ ended: given at the next turn
 *     failed ─→ trouble of its own: it waits alone │ perhaps the CRM's: the gate waits, RxDB hears of it
 *
 * Invariants, each with a property test (`tests/sync/pull/pull-engine.test.ts`): of one name one read is under way; what failed
 * waits its back-off and holds up nothing else; only a complete snapshot removes; every question is answered, or tried
 * again; after `stopped` nothing is asked any more.
 */
import {
  freeIn,
  GIVEN_AT_ONCE,
  hasCome,
  isBusy,
  isUnderWay,
  mayStart,
  triesOf,
  type Command,
  type PullEvent,
  type PullState,
  type Step,
  type Task,
} from './engine-state.ts'
import { afterDropped, afterEnded, afterFailed, afterMerged, afterRead } from './engine-reads.ts'

export function step<D>(state: PullState<D>, event: PullEvent<D>): Step<D> {
  if (state.phase === 'stopped') return { state, commands: [] }
  switch (event.kind) {
    case 'called':
      return turn({ ...state, isClosed: false })
    case 'passed':
      return atGate({ ...state, gate: { kind: 'passed', gone: event.gone } })
    case 'gateBroke':
      return atGate({ ...state, gate: { kind: 'broken', error: event.error } })
    case 'offered':
      return offered(state, event)
    case 'granted':
      return state.phase === 'planning' ? begun(state, event) : { state, commands: [] }
    case 'planned':
      return planned(state, event.docs)
    case 'planBroke':
      return { state: { ...state, phase: 'idle' }, commands: [{ kind: 'throw', error: event.error }] }
    case 'read':
      return afterRead(state, event)
    case 'merged':
      return goesOn(afterMerged(state, event))
    case 'failed':
      return goesOn(afterFailed(state, event))
    case 'broke':
      return goesOn(afterEnded(state, event.id, event.error))
    case 'ended':
      return goesOn(afterEnded(state, event.id))
    case 'rung':
      return goesOn({ state: { ...state, isRung: true }, commands: [] })
    case 'gathered':
      return goesOn({ state: { ...state, isGathering: false, isRung: true }, commands: [] })
    case 'dropped':
      return afterDropped(state, event.name)
    case 'cleared':
      return { state: { ...state, troubles: begunAnew(state.troubles) }, commands: [] }
    case 'stopped':
      return { state: { ...state, phase: 'stopped' }, commands: [] }
  }
}

/** What failed is tried at once; a question that a screen still waits for is not forgotten by that (RULES PL8). */
const begunAnew = (troubles: PullState<unknown>['troubles']): PullState<unknown>['troubles'] =>
  new Map([...troubles].map(([name, trouble]) => [name, { ...trouble, tries: 1, isOwn: false }]))

/** What came is given, what went wrong is thrown; else the gate is asked. */
function turn<D>(state: PullState<D>): Step<D> {
  if (hasCome(state)) {
    const rest = { ...state, isGathering: false, came: state.came.slice(GIVEN_AT_ONCE) }
    return given(rest, state.came.slice(0, GIVEN_AT_ONCE))
  }
  const [error] = state.failures
  if (state.failures.length > 0)
    return { state: { ...state, phase: 'idle', failures: [] }, commands: [{ kind: 'throw', error }] }
  const isRung = state.isClosed && state.isRung
  const next: PullState<D> = { ...state, phase: 'gate', isRung }
  if (state.gate.kind !== 'unasked') return atGate(next)
  const passing = atGate({ ...next, gate: { kind: 'asked' } })
  return { state: passing.state, commands: [{ kind: 'pass' }, ...passing.commands] }
}

/** Beside a closed gate, news is looked at: a call for a screen may leave. */
function atGate<D>(state: PullState<D>): Step<D> {
  const { phase, gate, isRung } = state
  if (phase !== 'gate') return { state, commands: [] }
  if (gate.kind === 'broken')
    return {
      state: { ...state, phase: 'idle', gate: { kind: 'unasked' } },
      commands: [{ kind: 'throw', error: gate.error }],
    }
  if (gate.kind === 'passed') {
    const through: PullState<D> = { ...state, gate: { kind: 'unasked' } }
    return gate.gone.length > 0 ? given(through, gate.gone) : planning(through, true)
  }
  return isRung ? planning(state, false) : { state, commands: [] }
}

const planning = <D>(state: PullState<D>, isOpen: boolean): Step<D> => ({
  state: { ...state, phase: 'planning', isClosed: !isOpen, isRung: false },
  commands: [{ kind: 'plan', isOpen }],
})

const given = <D>(state: PullState<D>, docs: readonly D[]): Step<D> => ({
  state: { ...state, phase: 'idle' },
  commands: [{ kind: 'give', docs }],
})

function planned<D>(state: PullState<D>, docs: readonly D[] | null): Step<D> {
  if (docs && docs.length > 0) return given(state, docs)
  const hasNews = state.isClosed || docs !== null || hasCome(state) || state.failures.length > 0
  if (hasNews || state.isRung) return turn(state)
  if (!isBusy(state)) return given(state, [])
  return { state: { ...state, phase: 'waiting' }, commands: [] }
}

/** News: who waits for it has another turn. */
function goesOn<D>({ state, commands }: Step<D>): Step<D> {
  if (!state.isRung || (state.phase !== 'waiting' && state.phase !== 'gate')) return { state, commands }
  const next = state.phase === 'gate' ? atGate(state) : turn(state)
  return { state: next.state, commands: [...commands, ...next.commands] }
}

type Offer = Extract<PullEvent<never>, { kind: 'offered' | 'granted' }>

/** A read leaves when its lane has a place, none of its name is under way or waits, and the gate and its pace let it. */
function offered<D>(state: PullState<D>, offer: Offer): Step<D> {
  const { task, now } = offer
  const ask = (of: 'hurry' | 'pace'): Step<D> => ({ state, commands: [{ kind: 'ask', of, task }] })
  if (state.phase !== 'planning' || freeIn(state, task.lane) <= 0 || !mayStart(state, task.name, now))
    return { state, commands: [] }
  if (!state.isClosed) return task.isPaced ? ask('pace') : begun(state, offer)
  const mayHurry = task.isAsked === true && triesOf(state, task.name) === 0
  return mayHurry ? ask('hurry') : { state, commands: [] }
}

function begun<D>(state: PullState<D>, { task, now, accepted }: Offer): Step<D> {
  if (isUnderWay(state, task.name)) return { state, commands: [] }
  const id = state.lastId + 1
  const { state: cleared, commands } = insteadOf(state, task)
  const read = { ...task, id, begunAt: now, acceptedBefore: accepted, isDropped: false, gives: [] }
  return {
    state: { ...cleared, lastId: id, reads: [...cleared.reads, read] },
    commands: [...commands, { kind: 'read', id, task }],
  }
}

/** Drops the background read that this one makes superfluous. */
const insteadOf = <D>(state: PullState<D>, { instead }: Task): Step<D> =>
  instead === undefined ? { state, commands: [] as Command<D>[] } : afterDropped(state, instead)
