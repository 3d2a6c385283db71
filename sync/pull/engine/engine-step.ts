/**
 * The step function of the pull engine: an event leads to the next state and to commands for the effects
 * (decisions/pull). Pure, and the same for all resources.
 *
 *     called ─→ gate ─→ plan ─→ offered: read │ request permission │ nothing ─→ planned ─→ documents │ wait │ an empty list
 *     read ─→ merge, with removals if a snapshot is complete ─→ merged ─→ answer ─→ ended: documents for RxDB's next call
 *     failed ─→ its own trouble: only this read waits │ perhaps the CRM's: the gate waits, RxDB gets the error
 *
 * Invariants, each with a property test (`tests/sync/pull/pull-engine.test.ts`):
 *
 * - Only one read of a name is in progress.
 * - A failed read waits for its back-off and delays no other read.
 * - Only a complete snapshot removes.
 * - Every question is answered or retried.
 * - After `stopped` there are no commands.
 */
import {
  freePlaces,
  DOCS_PER_CALL,
  hasReadyDocs,
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
      return answerCall({ ...state, isClosed: false })
    case 'passed':
      return atGate({ ...state, gate: { kind: 'passed', expired: event.expired } })
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
      return continued(afterMerged(state, event))
    case 'failed':
      return continued(afterFailed(state, event))
    case 'broke':
      return continued(afterEnded(state, event.id, event.error))
    case 'ended':
      return continued(afterEnded(state, event.id))
    case 'rung':
      return continued({ state: { ...state, isRung: true }, commands: [] })
    case 'gathered':
      return continued({ state: { ...state, isGathering: false, isRung: true }, commands: [] })
    case 'dropped':
      return afterDropped(state, event.name)
    case 'cleared':
      return { state: { ...state, troubles: retriedAtOnce(state.troubles) }, commands: [] }
    case 'stopped':
      return { state: { ...state, phase: 'stopped' }, commands: [] }
  }
}

/**
 * The troubles after the user requested everything: each read may be tried at once. The number of tries
 * becomes 1 and not 0, because a screen's question is only retried if it has failed before (RULES PL8).
 */
const retriedAtOnce = (troubles: PullState<unknown>['troubles']): PullState<unknown>['troubles'] =>
  new Map([...troubles].map(([name, trouble]) => [name, { ...trouble, tries: 1, isOwn: false }]))

/** Answers RxDB's call with documents or a failure, if there are any; else passes the gate. */
function answerCall<D>(state: PullState<D>): Step<D> {
  if (hasReadyDocs(state)) {
    const rest = { ...state, isGathering: false, readyDocs: state.readyDocs.slice(DOCS_PER_CALL) }
    return giveDocs(rest, state.readyDocs.slice(0, DOCS_PER_CALL))
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

/** Plans once the gate is open. While it is closed, plans too if another read may have become possible. */
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
    return gate.expired.length > 0 ? giveDocs(through, gate.expired) : planning(through, true)
  }
  return isRung ? planning(state, false) : { state, commands: [] }
}

const planning = <D>(state: PullState<D>, isOpen: boolean): Step<D> => ({
  state: { ...state, phase: 'planning', isClosed: !isOpen, isRung: false },
  commands: [{ kind: 'plan', isOpen }],
})

const giveDocs = <D>(state: PullState<D>, docs: readonly D[]): Step<D> => ({
  state: { ...state, phase: 'idle' },
  commands: [{ kind: 'give', docs }],
})

function planned<D>(state: PullState<D>, docs: readonly D[] | null): Step<D> {
  if (docs && docs.length > 0) return giveDocs(state, docs)
  const hasNews = state.isClosed || docs !== null || hasReadyDocs(state) || state.failures.length > 0
  if (hasNews || state.isRung) return answerCall(state)
  if (!isBusy(state)) return giveDocs(state, [])
  return { state: { ...state, phase: 'waiting' }, commands: [] }
}

/** Continues a waiting call of RxDB if another read may have become possible. */
function continued<D>({ state, commands }: Step<D>): Step<D> {
  if (!state.isRung || (state.phase !== 'waiting' && state.phase !== 'gate')) return { state, commands }
  const next = state.phase === 'gate' ? atGate(state) : answerCall(state)
  return { state: next.state, commands: [...commands, ...next.commands] }
}

type Offer = Extract<PullEvent<never>, { kind: 'offered' | 'granted' }>

/**
 * Begins a read if its lane has a free place, no read of its name runs or backs off, and gate and pace allow
 * it.
 */
function offered<D>(state: PullState<D>, offer: Offer): Step<D> {
  const { task, now } = offer
  const ask = (of: 'hurry' | 'pace'): Step<D> => ({ state, commands: [{ kind: 'ask', of, task }] })
  if (state.phase !== 'planning' || freePlaces(state, task.lane) <= 0 || !mayStart(state, task.name, now))
    return { state, commands: [] }
  if (!state.isClosed) return task.isPaced ? ask('pace') : begun(state, offer)
  const mayHurry = task.isForScreen === true && triesOf(state, task.name) === 0
  return mayHurry ? ask('hurry') : { state, commands: [] }
}

function begun<D>(state: PullState<D>, { task, now, accepted }: Offer): Step<D> {
  if (isUnderWay(state, task.name)) return { state, commands: [] }
  const id = state.lastId + 1
  const { state: cleared, commands } = dropReplaced(state, task)
  const read = { ...task, id, begunAt: now, acceptedBefore: accepted, isDropped: false, gives: [] }
  return {
    state: { ...cleared, lastId: id, reads: [...cleared.reads, read] },
    commands: [...commands, { kind: 'read', id, task }],
  }
}

/** Drops the background read that this one replaces. */
const dropReplaced = <D>(state: PullState<D>, { replaces }: Task): Step<D> =>
  replaces === undefined ? { state, commands: [] as Command<D>[] } : afterDropped(state, replaces)
