/**
 * The part of the pull engine's step function about reads in progress: merging, answering, failing (RULES
 * PL1, PL8). Pure.
 */
import { isComplete } from './reconcile.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Command, MergeHow, PullEvent, PullState, Read, Step } from './engine-state.ts'
import { troubleAfter, isWaiting, type Trouble } from '#sync/scheduler/read-backoff.ts'
import { NO_PAGES, withPage, type Page } from './snapshot.ts'

type EventOf<K extends PullEvent<unknown>['kind'], D> = Extract<PullEvent<D>, { kind: K }>

const unchanged = <D>(state: PullState<D>): Step<D> => ({ state, commands: [] })

const readOf = <D>({ reads }: PullState<D>, id: number) => reads.find((read) => read.id === id)

const withRead = <D>(state: PullState<D>, read: Read<D>): PullState<D> => ({
  ...state,
  reads: state.reads.map((one) => (one.id === read.id ? read : one)),
})

/** Rows were read: requests their merge, which removes records if the snapshot is now complete. */
export function afterRead<D>(state: PullState<D>, { id, page }: EventOf<'read', D>): Step<D> {
  const read = readOf(state, id)
  if (!read) return unchanged(state)
  const how = mergeOf(state, read.name, page)
  // The page counts once its rows are merged.
  const snapshot = how.isLast ? undefined : how.snapshot
  return { state: withRead(state, { ...read, snapshot }), commands: [{ kind: 'merge', id, how }] }
}

function mergeOf<D>({ snapshots }: PullState<D>, name: string, page: Page | undefined): MergeHow {
  const before = snapshots.get(name) ?? NO_PAGES
  if (page?.kind !== 'page')
    return { isLast: true, removes: page?.isComplete === true, isEndless: false, snapshot: before }
  const folded = withPage(before, page)
  return { ...folded, removes: folded.isLast && isComplete(folded.snapshot) }
}

/** The rows were merged. The screen's question is answered before the documents are passed to RxDB. */
export function afterMerged<D>(state: PullState<D>, { id, docs, answer }: EventOf<'merged', D>): Step<D> {
  const read = readOf(state, id)
  if (!read) return unchanged(state)
  const troubles = without(state.troubles, read.name)
  const snapshots = without(state.snapshots, read.name)
  if (read.snapshot && !read.isDropped) snapshots.set(read.name, read.snapshot)
  const next = withRead({ ...state, troubles, snapshots }, { ...read, gives: docs })
  return answer ? { state: next, commands: [{ kind: 'answer', id, answer }] } : afterEnded(next, id)
}

function without<T>(map: ReadonlyMap<string, T>, name: string): Map<string, T> {
  const rest = new Map(map)
  rest.delete(name)
  return rest
}

/**
 * A read has ended: its documents, or its failure, wait for RxDB's next call.
 * @param error why the read could not be ended; by default the error noted in the read
 */
export function afterEnded<D>(state: PullState<D>, id: number, error?: unknown): Step<D> {
  const read = readOf(state, id)
  if (!read) return unchanged(state)
  const failure = error ?? read.error
  const isFailed = failure !== undefined && !read.isDropped
  const gives = failure === undefined ? read.gives : []
  // Documents that a screen waits for are passed on at once, together with those that were waiting.
  const isFirst = state.readyDocs.length === 0 && gives.length > 0 && read.isGathered === true
  const isGathering = isFirst || (state.isGathering && (gives.length === 0 || read.isGathered === true))
  const next: PullState<D> = {
    ...state,
    isRung: true,
    reads: state.reads.filter((one) => one !== read),
    readyDocs: [...state.readyDocs, ...gives],
    failures: isFailed ? [...state.failures, failure] : state.failures,
    isGathering,
  }
  const gather: Command<D>[] = isFirst ? [{ kind: 'gather' }] : []
  return { state: next, commands: [{ kind: 'forget', id }, ...gather] }
}

/** The read of this name is no longer needed: a running one is aborted and its failure ignored. */
export function afterDropped<D>(state: PullState<D>, name: string): Step<D> {
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

export function afterFailed<D>(state: PullState<D>, event: EventOf<'failed', D>): Step<D> {
  const read = readOf(state, event.id)
  if (!read) return unchanged(state)
  return isInconclusive(event.outcome) ? afterNotTried(state, read, event) : afterTrouble(state, read, event)
}

/** True if the session or the circuit stopped the call, so that the read itself has not failed. */
export const isInconclusive = (outcome: Outcome) =>
  outcome.kind === 'unauthorized' || (outcome.kind === 'unreachable' && outcome.held === true)

function afterNotTried<D>(
  state: PullState<D>,
  { id, begunAt }: Read<D>,
  { isHeld, error }: EventOf<'failed', D>,
): Step<D> {
  const ended = afterEnded(state, id, error)
  // A call that the circuit rejected waits at the gate anyway.
  if (isHeld) return ended
  return { ...ended, commands: [...ended.commands, { kind: 'close', retryAfterMs: 0, begunAt }] }
}

function afterTrouble<D>(state: PullState<D>, read: Read<D>, event: EventOf<'failed', D>): Step<D> {
  const { id, name, asked, begunAt, acceptedBefore } = read
  const { outcome, error, now } = event
  const previous = state.troubles.get(name)
  const trouble = troubleAfter(previous, { ...event, acceptedBefore })
  const troubles = new Map(state.troubles).set(name, trouble)
  const next = withRead({ ...state, troubles }, { ...read, error: trouble.isOwn ? undefined : error })
  const retryAfterMs = outcome.kind === 'throttled' ? outcome.retryAfterMs : 0
  const commands: Command<D>[] = []
  if (trouble.isOwn && !previous?.isOwn)
    commands.push({ kind: 'report', problem: `${name}: ${kindOf(outcome)}` })
  if (!trouble.isOwn || outcome.kind === 'throttled') commands.push({ kind: 'close', retryAfterMs, begunAt })
  commands.push(...wakeAtNext<D>(troubles, now))
  const isAnsweredAsFailed = asked !== undefined && outcome.kind === 'unknown'
  const answer = isAnsweredAsFailed ? { asked, state: 'failed' as const, total: 0 } : undefined
  return { state: next, commands: [...commands, { kind: 'tell', id, outcome, tries: trouble.tries, answer }] }
}

/** Wakes the engine when the first read that backs off for its own failures may be tried again. */
function wakeAtNext<D>(troubles: ReadonlyMap<string, Trouble>, now: number): Command<D>[] {
  const waiting = [...troubles.values()].filter((trouble) => isWaiting(trouble, now))
  if (waiting.length === 0) return []
  return [{ kind: 'wake', at: Math.min(...waiting.map(({ notBefore }) => notBefore)) + 1 }]
}

const kindOf = (outcome: Outcome) => ('status' in outcome ? `${outcome.status}` : outcome.kind)
