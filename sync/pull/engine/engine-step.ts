/**
 * The step function of the pull engine: an event leads to the next state and to commands (decisions/pull). Pure, and
 * the same for all resources. The life of one call of RxDB, of one read, and of a failure:
 *
 *     called ─→ gate ─→ plan, which begins the reads that `admissionOf` allows ─→ planned ─→ documents │ wait │ nothing
 *     begun ─→ merged, with removals if a snapshot is complete ─→ screen answered ─→ ended: RxDB's next call gets documents
 *     failed ─┬─ other reads succeed ─→ only this read waits, for its back-off
 *             └─ perhaps the CRM is down ─→ the gate closes, RxDB gets the error
 *
 * Invariants, each with a property test (`tests/sync/pull/pull-engine.test.ts`):
 *
 * - Only one read of a name is in progress.
 * - A failed read waits for its back-off and delays no other read.
 * - Only a complete snapshot removes.
 * - Every fetch request is answered or retried.
 * - After `stopped` there are no commands.
 */
import { isWaiting, troubleAfter, type Trouble } from '#sync/scheduler/read-backoff.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import {
  DOCS_PER_CALL,
  hasReadyDocs,
  isBusy,
  type Command,
  type PullEvent,
  type PullState,
  type Read,
  type Step,
} from './engine-state.ts'

type EventOf<K extends PullEvent<unknown>['kind'], D> = Extract<PullEvent<D>, { kind: K }>

const unchanged = <D>(state: PullState<D>): Step<D> => ({ state, commands: [] })

export function step<D>(state: PullState<D>, event: PullEvent<D>): Step<D> {
  if (state.phase === 'stopped') return unchanged(state)
  switch (event.kind) {
    case 'called':
      return answerCall({ ...state, isClosed: false })
    case 'passed':
      return atGate({ ...state, gate: { kind: 'passed', expired: event.expired } })
    case 'gateBroke':
      return atGate({ ...state, gate: { kind: 'broken', error: event.error } })
    case 'begun':
      return afterBegun(state, event)
    case 'planned':
      return planned(state, event.docs)
    case 'planBroke':
      return { state: { ...state, phase: 'idle' }, commands: [{ kind: 'throw', error: event.error }] }
    case 'merged':
      return unchanged(afterMerged(state, event))
    case 'failed':
      return continued(afterFailed(state, event))
    case 'ended':
      return continued(afterEnded(state, event.id, event.error))
    case 'recheck':
      return continued(unchanged({ ...state, isRecheckDue: true }))
    case 'gathered':
      return continued(unchanged({ ...state, isGathering: false, isRecheckDue: true }))
    case 'dropped':
      return afterDropped(state, event.name)
    case 'cleared':
      return unchanged({ ...state, troubles: retriedAtOnce(state.troubles) })
    case 'stopped':
      return unchanged({ ...state, phase: 'stopped' })
  }
}

/**
 * The troubles after the user requested everything: each read may be tried at once. The number of tries becomes 1 and
 * not 0, because only a fetch request that has failed before is retried (RULES PL8).
 */
const retriedAtOnce = (troubles: PullState<unknown>['troubles']): PullState<unknown>['troubles'] =>
  new Map([...troubles].map(([name, trouble]) => [name, { ...trouble, tries: 1, isOwn: false }]))

/** Answers the call of RxDB with ready documents or the first failure. If there is neither, the call goes to the gate. */
function answerCall<D>(state: PullState<D>): Step<D> {
  if (hasReadyDocs(state)) {
    const rest = { ...state, isGathering: false, readyDocs: state.readyDocs.slice(DOCS_PER_CALL) }
    return deliver(rest, state.readyDocs.slice(0, DOCS_PER_CALL))
  }
  const [error] = state.failures
  if (state.failures.length > 0)
    return { state: { ...state, phase: 'idle', failures: [] }, commands: [{ kind: 'throw', error }] }
  const isRecheckDue = state.isClosed && state.isRecheckDue
  const next: PullState<D> = { ...state, phase: 'gate', isRecheckDue }
  if (state.gate.kind !== 'idle') return atGate(next)
  const passing = atGate({ ...next, gate: { kind: 'passing' } })
  return { state: passing.state, commands: [{ kind: 'pass' }, ...passing.commands] }
}

/** Plans once the gate is open. While the gate is closed, plans only if another read may have become possible. */
function atGate<D>(state: PullState<D>): Step<D> {
  const { phase, gate, isRecheckDue } = state
  if (phase !== 'gate') return unchanged(state)
  const through: PullState<D> = { ...state, gate: { kind: 'idle' } }
  if (gate.kind === 'broken')
    return { state: { ...through, phase: 'idle' }, commands: [{ kind: 'throw', error: gate.error }] }
  if (gate.kind === 'passed')
    return gate.expired.length > 0 ? deliver(through, gate.expired) : planning(through, true)
  return isRecheckDue ? planning(state, false) : unchanged(state)
}

const planning = <D>(state: PullState<D>, isOpen: boolean): Step<D> => ({
  state: { ...state, phase: 'planning', isClosed: !isOpen, isRecheckDue: false },
  commands: [{ kind: 'plan', isOpen }],
})

const deliver = <D>(state: PullState<D>, docs: readonly D[]): Step<D> => ({
  state: { ...state, phase: 'idle' },
  commands: [{ kind: 'deliver', docs }],
})

function planned<D>(state: PullState<D>, docs: readonly D[] | null): Step<D> {
  if (docs && docs.length > 0) return deliver(state, docs)
  const hasNews = state.isClosed || docs !== null || hasReadyDocs(state) || state.failures.length > 0
  if (hasNews || state.isRecheckDue) return answerCall(state)
  return isBusy(state) ? unchanged({ ...state, phase: 'waiting' }) : deliver(state, [])
}

/** Lets a waiting call of RxDB go on if another read may have become possible. */
function continued<D>({ state, commands }: Step<D>): Step<D> {
  if (!state.isRecheckDue || (state.phase !== 'waiting' && state.phase !== 'gate')) return { state, commands }
  const next = state.phase === 'gate' ? atGate(state) : answerCall(state)
  return { state: next.state, commands: [...commands, ...next.commands] }
}

/** A read begins. The background read that it replaces is dropped. */
function afterBegun<D>(state: PullState<D>, { task, now, accepted }: EventOf<'begun', D>): Step<D> {
  const id = state.lastId + 1
  const rest = task.replaces === undefined ? unchanged(state) : afterDropped(state, task.replaces)
  const read = { ...task, id, begunAt: now, acceptedBefore: accepted, isDropped: false, docs: [] }
  return { ...rest, state: { ...rest.state, lastId: id, reads: [...rest.state.reads, read] } }
}

const readOf = <D>({ reads }: PullState<D>, id: number) => reads.find((read) => read.id === id)

const withRead = <D>(state: PullState<D>, read: Read<D>): PullState<D> => ({
  ...state,
  reads: state.reads.map((one) => (one.id === read.id ? read : one)),
})

/** A page was merged. Its documents stay in the read until the screen's fetch request is answered. */
function afterMerged<D>(state: PullState<D>, { id, docs, snapshot }: EventOf<'merged', D>): PullState<D> {
  const read = readOf(state, id)
  if (!read) return state
  const troubles = without(state.troubles, read.name)
  const snapshots = without(state.snapshots, read.name)
  if (snapshot && !read.isDropped) snapshots.set(read.name, snapshot)
  return withRead({ ...state, troubles, snapshots }, { ...read, docs })
}

function without<T>(map: ReadonlyMap<string, T>, name: string): Map<string, T> {
  const rest = new Map(map)
  rest.delete(name)
  return rest
}

/**
 * A read has ended: its documents, or its failure, wait for RxDB's next call.
 * @param error by default the error of the read's last failure
 */
function afterEnded<D>(state: PullState<D>, id: number, error?: unknown): Step<D> {
  const read = readOf(state, id)
  if (!read) return unchanged(state)
  const failure = error ?? read.error
  const isFailed = failure !== undefined && !read.isDropped
  const docs = failure === undefined ? read.docs : []
  // Documents that a screen waits for are passed on at once, together with those that were waiting.
  const isFirst = state.readyDocs.length === 0 && docs.length > 0 && read.isGathered === true
  const isGathering = isFirst || (state.isGathering && (docs.length === 0 || read.isGathered === true))
  const next: PullState<D> = {
    ...state,
    isRecheckDue: true,
    reads: state.reads.filter((one) => one !== read),
    readyDocs: [...state.readyDocs, ...docs],
    failures: isFailed ? [...state.failures, failure] : state.failures,
    isGathering,
  }
  return { state: next, commands: isFirst ? [{ kind: 'gather' }] : [] }
}

/** The read of this name is no longer needed: a running one is aborted and its failure ignored. */
function afterDropped<D>(state: PullState<D>, name: string): Step<D> {
  const isMatch = (read: Read<D>) => read.name === name && !read.isDropped
  const dropped = state.reads.filter(isMatch)
  return {
    state: {
      ...state,
      reads: state.reads.map((read) => (isMatch(read) ? { ...read, isDropped: true } : read)),
      snapshots: dropped.length > 0 ? state.snapshots : without(state.snapshots, name),
    },
    commands: dropped.map(({ id }) => ({ kind: 'abort', id })),
  }
}

/** True if the session or the circuit stopped the call, so that the read itself has not failed. */
export const isInconclusive = (outcome: Outcome) =>
  outcome.kind === 'unauthorized' || (outcome.kind === 'unreachable' && outcome.held === true)

/** A read failed. If its call was not made at all, the read ends; else it ends after its failure is reported. */
function afterFailed<D>(state: PullState<D>, event: EventOf<'failed', D>): Step<D> {
  const read = readOf(state, event.id)
  if (!read) return unchanged(state)
  const { name, begunAt, acceptedBefore } = read
  const { outcome, error, now } = event
  const close = (retryAfterMs: number): Command<D> => ({ kind: 'close', retryAfterMs, begunAt })
  if (isInconclusive(outcome)) {
    const ended = afterEnded(state, read.id, error)
    // A call that the circuit rejected waits at the gate anyway.
    return event.isBlocked ? ended : { ...ended, commands: [...ended.commands, close(0)] }
  }
  const previous = state.troubles.get(name)
  const trouble = troubleAfter(previous, { ...event, acceptedBefore })
  const troubles = new Map(state.troubles).set(name, trouble)
  const commands = wakeAtNext<D>(troubles, now)
  if (!trouble.isOwn || outcome.kind === 'throttled')
    commands.unshift(close(outcome.kind === 'throttled' ? outcome.retryAfterMs : 0))
  if (trouble.isOwn && !previous?.isOwn)
    commands.unshift({ kind: 'report', problem: `${name}: ${kindOf(outcome)}` })
  return {
    state: withRead({ ...state, troubles }, { ...read, error: trouble.isOwn ? undefined : error }),
    commands,
  }
}

/** Wakes the engine when the first read that backs off for its own failures may be tried again. */
function wakeAtNext<D>(troubles: ReadonlyMap<string, Trouble>, now: number): Command<D>[] {
  const waiting = [...troubles.values()].filter((trouble) => isWaiting(trouble, now))
  if (waiting.length === 0) return []
  return [{ kind: 'wake', at: Math.min(...waiting.map(({ notBefore }) => notBefore)) + 1 }]
}

const kindOf = (outcome: Outcome) => ('status' in outcome ? `${outcome.status}` : outcome.kind)
