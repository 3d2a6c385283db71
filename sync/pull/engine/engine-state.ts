/**
 * The state, events and commands of the pull engine, as values. The engine decides which reads of the CRM run, and
 * which documents RxDB receives (decisions/pull):
 *
 *     event ─→ step(state, event) ─→ next state, commands ─→ effects ─→ event
 *              engine-step.ts                                engine.ts
 *
 * Values can be tested without a network: property tests send events in any order. Each resource adds only a plan
 * (which reads are due) and a table of lanes (how many may run at once).
 *
 * - A fetch request is stored by a screen, to have something read.
 * - A read gets one list or record from the CRM. It may need several calls to the CRM, one for each page.
 * - A call of RxDB is RxDB's call of the pull's handler. The engine answers it with documents or an error. There is at most
 *   one at a time.
 * - The gate is where a call of RxDB waits while the CRM does not answer (`PullGate` in `scheduler/scheduler.ts`). It is
 *   closed after a failure, until the back-off is over.
 */
import type { Outcome } from '#sync/transport/outcome.ts'
import type { FetchRequestId } from '#sync/storage/fetch-requests.ts'
import { isWaiting, type Trouble } from '#sync/scheduler/read-backoff.ts'
import type { Snapshot } from './snapshot.ts'

/** Maximum number of reads at once, by lane. A lane is a kind of read, such as 'screen' or 'background'. */
export type Lanes = Readonly<Record<string, number>>

/** A read that could begin, as the engine's state knows it. */
export interface Task {
  /** Identifies the read and its back-off. Only one read of a name runs at a time. */
  name: string
  lane: string
  /** True if a screen waits for the read: it may begin once while the gate is closed (RULES PL8). */
  isForScreen?: boolean
  /** True if the read only confirms local data: it begins when the rate limit allows (RULES PL10). */
  isPaced?: boolean
  /** Name of the background read that this read replaces. */
  replaces?: string
  /**
   * True if nobody waits for the read: its documents are collected for a second, so that RxDB writes the documents of several
   * reads at once.
   */
  isGathered?: boolean
  /** The screen's fetch request that the read answers; absent if no screen waits. */
  fetchRequest?: FetchRequestId | undefined
}

/** A read in progress, from its beginning until its documents are ready. */
export interface Read<D> extends Task {
  id: number
  /** Start time, in ms of the monotonic clock `ticks`. */
  begunAt: number
  /** Number of calls that the CRM had accepted when the read began. */
  acceptedBefore: number
  /** True if nobody needs the read any more. Its call continues, but its failure is not passed to RxDB. */
  isDropped: boolean
  /** The read's documents. RxDB gets them, or `error`, once the screen's fetch request is answered. */
  docs: readonly D[]
  error?: unknown
}

/**
 * What the gate does with the call of RxDB. `idle`: no call is at the gate. `passing`: the call waits. `passed`: the call
 * may go on; `expired` are the removals of local records that need no call to the CRM (RULES EX1). `broken`: the gate
 * threw an error.
 */
type Gate<D> =
  | { kind: 'idle' }
  | { kind: 'passing' }
  | { kind: 'passed'; expired: readonly D[] }
  | { kind: 'broken'; error: unknown }

/**
 * What happens to the latest call of RxDB. `idle`: there is no call. `gate`: it waits at the gate. `planning`: the
 * resource offers reads. `waiting`: the call waits until a read ends or another may begin. `stopped`: sync has ended.
 */
type Phase = 'idle' | 'gate' | 'planning' | 'waiting' | 'stopped'

export interface PullState<D> {
  phase: Phase
  gate: Gate<D>
  /** True if the current plan was made while the gate was closed: only screens' reads may begin. */
  isClosed: boolean
  /** True if another read may have become possible since the last plan, so a new plan is due. */
  isRecheckDue: boolean
  lanes: Lanes
  /** Id of the read that began last. */
  lastId: number
  /** Reads in progress, including dropped ones. */
  reads: readonly Read<D>[]
  /** The failures of reads that have not succeeded since, by name. */
  troubles: ReadonlyMap<string, Trouble>
  /** By name of the read: the snapshots that are being read page by page, with their pages so far. */
  snapshots: ReadonlyMap<string, Snapshot>
  /** Documents that the next calls of RxDB return. */
  readyDocs: readonly D[]
  /** Errors of reads. The next call of RxDB throws the first one. */
  failures: readonly unknown[]
  /** True while the ready documents wait for more; the event `gathered` ends it. */
  isGathering: boolean
}

/** When an event happened. */
interface Moment {
  /** Milliseconds of the monotonic clock `ticks`. */
  now: number
  /** Number of calls that the CRM has accepted until now. */
  accepted: number
}

export type PullEvent<D> =
  /** RxDB has called the handler. */
  | { kind: 'called' }
  /** The gate has let the call of RxDB pass. */
  | { kind: 'passed'; expired: readonly D[] }
  /** The gate has thrown an error. */
  | { kind: 'gateBroke'; error: unknown }
  /** A read begins; `admissionOf` has allowed it. */
  | ({ kind: 'begun'; task: Task } & Moment)
  /**
   * The resource has offered its reads.
   * @param docs documents that need no call; null if nothing is left to plan, [] if a new plan must be made at once
   */
  | { kind: 'planned'; docs: readonly D[] | null }
  /** The resource's plan has thrown an error. */
  | { kind: 'planBroke'; error: unknown }
  /**
   * A page was merged.
   * @param snapshot the pages so far; undefined after the last page
   */
  | { kind: 'merged'; id: number; docs: readonly D[]; snapshot?: Snapshot | undefined }
  /**
   * The CRM could not be read.
   * @param isBlocked true if the circuit breaker rejected the call
   */
  | ({
      kind: 'failed'
      id: number
      outcome: Outcome
      error: unknown
      random: number
      isBlocked: boolean
    } & Moment)
  /**
   * A read has ended.
   * @param error a bug, or a failure of the device's storage
   */
  | { kind: 'ended'; id: number; error?: unknown }
  /** Another read may be possible now: check again which may begin. */
  | { kind: 'recheck' }
  /** The time for collecting documents is over. */
  | { kind: 'gathered' }
  /** Nobody needs the reads of this name any more. */
  | { kind: 'dropped'; name: string }
  /** The user requests everything: all back-offs end. */
  | { kind: 'cleared' }
  /** Sync has ended. */
  | { kind: 'stopped' }

export type Command<D> =
  /** Waits at the gate. The event `passed` or `gateBroke` follows. */
  | { kind: 'pass' }
  /** Lets the resource offer its reads. @param isOpen false while the gate is closed: only screens' reads may begin */
  | { kind: 'plan'; isOpen: boolean }
  /** Aborts the call of a dropped read. */
  | { kind: 'abort'; id: number }
  /** Writes a problem to the error log. */
  | { kind: 'report'; problem: string }
  /** Closes the gate until the back-off is over. @param begunAt when the failed call began, ms of the clock for waits */
  | { kind: 'close'; retryAfterMs: number; begunAt: number }
  /** Starts the timer after which RxDB calls the pull handler again. @param at ms of the clock for waits (lib/ticks.ts) */
  | { kind: 'wake'; at: number }
  /** Starts the timer that ends the collecting of documents (event `gathered`). */
  | { kind: 'gather' }
  /** Answers the call of RxDB with documents. */
  | { kind: 'deliver'; docs: readonly D[] }
  /** Answers the call of RxDB with an error. */
  | { kind: 'throw'; error: unknown }

export interface Step<D> {
  state: PullState<D>
  commands: readonly Command<D>[]
}

export const startState = <D>(lanes: Lanes): PullState<D> => ({
  phase: 'idle',
  gate: { kind: 'idle' },
  isClosed: false,
  isRecheckDue: false,
  lanes,
  lastId: 0,
  reads: [],
  troubles: new Map(),
  snapshots: new Map(),
  readyDocs: [],
  failures: [],
  isGathering: false,
})

/** Maximum tries of a screen's fetch request. They take about eight minutes; nobody waits longer. */
const FETCH_TRIES_MAX = 10

type Known = Pick<PullState<unknown>, 'reads' | 'troubles' | 'lanes'>

export const isUnderWay = ({ reads }: Known, name: string): boolean =>
  reads.some((read) => read.name === name && !read.isDropped)

/** True if a read of this name is running, or a screen's read that replaces it. */
export const isCovered = ({ reads }: Known, name: string): boolean =>
  reads.some((read) => (read.name === name && !read.isDropped) || read.replaces === name)

export const isBusy = ({ reads }: Pick<Known, 'reads'>): boolean => reads.some(({ isDropped }) => !isDropped)

/**
 * Maximum number of documents per call of RxDB. RxDB writes them at once and notifies all queries, so more documents
 * would delay the screen.
 */
export const DOCS_PER_CALL = 100
/** From this number on, collected documents are passed to RxDB at once. */
export const GATHERED_MAX = 25

/** True if documents can be passed to RxDB now. They wait for more only while something is being read. */
export const hasReadyDocs = ({
  readyDocs,
  isGathering,
  reads,
}: Pick<PullState<unknown>, 'readyDocs' | 'isGathering' | 'reads'>): boolean =>
  readyDocs.length > 0 && !(isGathering && readyDocs.length < GATHERED_MAX && isBusy({ reads }))

/** Number of free places of a lane. A dropped read occupies its place until its call has ended. */
export const freePlaces = ({ reads, lanes }: Known, lane: string): number =>
  (lanes[lane] ?? 0) - reads.filter((read) => read.lane === lane).length

/** How often in a row the read of this name has failed. */
export const triesOf = ({ troubles }: Known, name: string): number => troubles.get(name)?.tries ?? 0

/** True if the read of this name is neither running nor backing off. */
export const mayStart = (known: Known, name: string, now: number): boolean =>
  !isUnderWay(known, name) && !isWaiting(known.troubles.get(name), now)

/**
 * Decides whether a read may begin: only during a plan, if its lane has a free place and no read of its name runs or
 * backs off. Through the closed gate only a screen's read may begin, before its first failure.
 * @returns `hurry`: it may begin if the gate lets it pass while closed; `pace`: if the rate limit allows
 */
export function admissionOf(
  state: PullState<unknown>,
  task: Task,
  now: number,
): 'no' | 'free' | 'hurry' | 'pace' {
  const { phase, isClosed } = state
  if (phase !== 'planning' || freePlaces(state, task.lane) <= 0 || !mayStart(state, task.name, now))
    return 'no'
  if (!isClosed) return task.isPaced ? 'pace' : 'free'
  return task.isForScreen === true && triesOf(state, task.name) === 0 ? 'hurry' : 'no'
}

/** True if the read of this name failed although others succeed, and is not running now. */
export const hasOwnFailure = (known: Known, name: string): boolean =>
  known.troubles.get(name)?.isOwn === true && !isUnderWay(known, name)

/** True if a fetch request that was answered as failed will be tried again. */
export const isStillTried = (known: Known, name: string): boolean =>
  triesOf(known, name) > 0 && triesOf(known, name) < FETCH_TRIES_MAX
