/**
 * The pull engine's state, its events and its commands, as values (decisions/pull). `engine-step.ts` is the
 * step function, `engine.ts` runs the effects. Each resource only adds a plan and a table of lanes.
 */
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Question } from '#sync/storage/interests.ts'
import { isWaiting, type Trouble } from '#sync/scheduler/read-backoff.ts'
import type { Snapshot } from './reconcile.ts'
import type { Page } from './snapshot.ts'

/** How many reads may run at once, by lane. */
export type Lanes = Readonly<Record<string, number>>

/** A read that could begin. */
export interface Task {
  /** Identifies the read and its back-off. Only one read of a name runs at a time. */
  name: string
  lane: string
  /** A screen waits for it: it may pass a closed gate once, before the back-off is over (RULES PL8). */
  isAsked?: boolean
  /** It only confirms local data: it begins when its pace allows (RULES PL10). */
  isPaced?: boolean
  /** Name of the background read that this read replaces. */
  instead?: string
  /**
   * Nobody waits for it: its documents wait a moment, so that RxDB writes those of several reads together.
   */
  isGathered?: boolean
  /** The question that it answers. */
  asked?: Asked | undefined
}

/** Identifies one asking of a question; asking again is another one. */
type Asked = Pick<Question, 'key' | 'askedAt'>

/** The answer to a question. */
export interface QuestionAnswer {
  asked: Asked
  state: Exclude<Question['state'], 'asked'>
  total: number
}

/** A read in progress, from its beginning until its documents are ready. */
export interface Read<D> extends Task {
  id: number
  /** On the clock of the ticks. */
  begunAt: number
  /** Number of calls that the CRM had accepted when it began. */
  acceptedBefore: number
  /** No longer wanted: a call in progress continues, but its failure is not passed to RxDB. */
  isDropped: boolean
  /** The snapshot including this page, until the page is merged. */
  snapshot?: Snapshot | undefined
  /** Its documents, or its failure, once its question is answered. */
  gives: readonly D[]
  error?: unknown
}

type Gate<D> =
  | { kind: 'unasked' }
  | { kind: 'asked' }
  | { kind: 'passed'; gone: readonly D[] }
  | { kind: 'broken'; error: unknown }

/** `idle`: RxDB waits for nothing. `waiting`: for a read to end, or for news. */
type Phase = 'idle' | 'gate' | 'planning' | 'waiting' | 'stopped'

export interface PullState<D> {
  phase: Phase
  gate: Gate<D>
  /** The plan is made while the gate is closed. */
  isClosed: boolean
  /** There may be something else to begin. */
  isRung: boolean
  lanes: Lanes
  lastId: number
  reads: readonly Read<D>[]
  troubles: ReadonlyMap<string, Trouble>
  /** The pages so far of snapshots that are read page by page. */
  snapshots: ReadonlyMap<string, Snapshot>
  /** Documents and failures that RxDB has not received yet. */
  came: readonly D[]
  failures: readonly unknown[]
  /** The documents wait for more, until their time is over. */
  isGathering: boolean
}

/** When an event happened, on the clock of the ticks, and the number of calls accepted by then. */
interface Moment {
  now: number
  accepted: number
}

export type PullEvent<D> =
  /** RxDB calls for documents. */
  | { kind: 'called' }
  | { kind: 'passed'; gone: readonly D[] }
  | { kind: 'gateBroke'; error: unknown }
  | ({ kind: 'offered' | 'granted'; task: Task } & Moment)
  /** @param docs documents that need no call; null if nothing is left to begin, [] if there is more */
  | { kind: 'planned'; docs: readonly D[] | null }
  | { kind: 'planBroke'; error: unknown }
  /** @param page of a snapshot, if it is one */
  | { kind: 'read'; id: number; page?: Page | undefined }
  | { kind: 'merged'; id: number; docs: readonly D[]; answer?: QuestionAnswer | undefined }
  /**
   * The CRM could not be read.
   * @param isHeld true if the circuit rejected the call
   */
  | ({
      kind: 'failed'
      id: number
      outcome: Outcome
      error: unknown
      random: number
      isHeld: boolean
    } & Moment)
  /** A bug, or the device's own storage. */
  | { kind: 'broke'; id: number; error: unknown }
  /** Its question has been answered, or there was none. */
  | { kind: 'ended'; id: number }
  | { kind: 'rung' }
  /** The documents have waited long enough. */
  | { kind: 'gathered' }
  | { kind: 'dropped'; name: string }
  /** The user requests everything: all back-offs end. */
  | { kind: 'cleared' }
  | { kind: 'stopped' }

/** What a merge may do. `removes` is only true for a complete snapshot (RULES PL1). */
export interface MergeHow {
  isLast: boolean
  removes: boolean
  /** It ends because a page brought nothing new (RULES PL7). */
  isEndless: boolean
  snapshot: Snapshot
}

export type Command<D> =
  | { kind: 'pass' }
  | { kind: 'plan'; isOpen: boolean }
  /** Asks whether a task may begin: through the closed gate, or by its pace. */
  | { kind: 'ask'; of: 'hurry' | 'pace'; task: Task }
  | { kind: 'read'; id: number; task: Task }
  | { kind: 'abort'; id: number }
  | { kind: 'merge'; id: number; how: MergeHow }
  /** Answers the question; then the read has ended. */
  | { kind: 'answer'; id: number; answer: QuestionAnswer }
  /** Reports a failure, and answers the question; then the read has ended. */
  | { kind: 'tell'; id: number; outcome: Outcome; tries: number; answer?: QuestionAnswer | undefined }
  /** The read has ended without a result. */
  | { kind: 'forget'; id: number }
  | { kind: 'report'; problem: string }
  /** Closes the gate for a time. */
  | { kind: 'close'; retryAfterMs: number; begunAt: number }
  | { kind: 'wake'; at: number }
  /** Requests the event `gathered` in a moment. */
  | { kind: 'gather' }
  | { kind: 'give'; docs: readonly D[] }
  | { kind: 'throw'; error: unknown }

export interface Step<D> {
  state: PullState<D>
  commands: readonly Command<D>[]
}

export const startState = <D>(lanes: Lanes): PullState<D> => ({
  phase: 'idle',
  gate: { kind: 'unasked' },
  isClosed: false,
  isRung: false,
  lanes,
  lastId: 0,
  reads: [],
  troubles: new Map(),
  snapshots: new Map(),
  came: [],
  failures: [],
  isGathering: false,
})

/** How often a screen's question is retried. After about eight minutes nobody waits for it any more. */
const QUESTION_TRIES = 10

type Known = Pick<PullState<unknown>, 'reads' | 'troubles' | 'lanes'>

export const isUnderWay = ({ reads }: Known, name: string): boolean =>
  reads.some((read) => read.name === name && !read.isDropped)

/** True if it is being read, or if a screen's read replaces it. */
export const isCovered = ({ reads }: Known, name: string): boolean =>
  reads.some((read) => (read.name === name && !read.isDropped) || read.instead === name)

export const isBusy = ({ reads }: Pick<Known, 'reads'>): boolean => reads.some(({ isDropped }) => !isDropped)

/**
 * Documents per call of RxDB. RxDB writes them at once and notifies all queries, so more would delay the
 * screen.
 */
export const GIVEN_AT_ONCE = 100
/** From this number on, documents of background reads no longer wait. */
export const GATHERED_AT_ONCE = 25

/** True if the documents are to be passed to RxDB. They wait for more only while something is being read. */
export const hasCome = ({ came, isGathering, reads }: Waiting): boolean =>
  came.length > 0 && !(isGathering && came.length < GATHERED_AT_ONCE && isBusy({ reads }))
type Waiting = Pick<PullState<unknown>, 'came' | 'isGathering' | 'reads'>

/** Free places of a lane. A read that is no longer wanted still occupies its place until it has ended. */
export const freeIn = ({ reads, lanes }: Known, lane: string): number =>
  (lanes[lane] ?? 0) - reads.filter((read) => read.lane === lane).length

/** How often in a row the read of this name has failed. */
export const triesOf = ({ troubles }: Known, name: string): number => troubles.get(name)?.tries ?? 0

/** True if it is neither running nor backing off. */
export const mayStart = (known: Known, name: string, now: number): boolean =>
  !isUnderWay(known, name) && !isWaiting(known.troubles.get(name), now)

/** True if it failed for its own reasons and is not being tried now. */
export const isAlone = (known: Known, name: string): boolean =>
  known.troubles.get(name)?.isOwn === true && !isUnderWay(known, name)

/** True if a question that was answered as failed is still being retried. */
export const isStillTried = (known: Known, name: string): boolean =>
  triesOf(known, name) > 0 && triesOf(known, name) < QUESTION_TRIES
