/**
 * The pull engine's state as a value, and what is told to it and asked of the effects (decisions/pull).
 * `engine-step.ts` is its step, `engine.ts` the effects around it. A resource is a plan and a table of lanes; it adds
 * nothing here.
 */
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Question } from '#sync/storage/interests.ts'
import { isWaiting, type Trouble } from '#sync/scheduler/read-backoff.ts'
import type { Snapshot } from './reconcile.ts'
import type { Page } from './snapshot.ts'

/** How many reads of a kind may be under way at once. */
export type Lanes = Readonly<Record<string, number>>

/** One read that could begin. */
export interface Task {
  /** What it is known by, to its back-off too: of one name one read is under way. */
  name: string
  lane: string
  /** A screen waits for it: once, it leaves beside a closed gate, before a back-off is over (RULES PL8). */
  isAsked?: boolean
  /** Only to be confirmed: it leaves when its pace allows (RULES PL10). */
  isPaced?: boolean
  /** Name of the background read that this one makes superfluous. */
  instead?: string
  /** Nobody waits for it: its documents are held back for a moment, so that RxDB writes those of several reads together. */
  isGathered?: boolean
  /** The question that it answers. */
  asked?: Asked | undefined
}

/** A question, as far as answering it goes: asked anew, it is another one. */
type Asked = Pick<Question, 'key' | 'askedAt'>

/** What a question is answered with. */
export interface QuestionAnswer {
  asked: Asked
  state: Exclude<Question['state'], 'asked'>
  total: number
}

/** A read under way, from its begin until its documents are there to be given. */
export interface Read<D> extends Task {
  id: number
  /** On the clock of the ticks. */
  begunAt: number
  /** How many calls the CRM had accepted when it began. */
  acceptedBefore: number
  /** Nobody wants it any more: a call that has left runs to its end, and RxDB is not told of its failure. */
  isDropped: boolean
  /** What was read, until it is merged: the snapshot up to here. */
  snapshot?: Snapshot | undefined
  /** What it gives, or how it failed, once its question is answered. */
  gives: readonly D[]
  error?: unknown
}

type Gate<D> =
  | { kind: 'unasked' }
  | { kind: 'asked' }
  | { kind: 'passed'; gone: readonly D[] }
  | { kind: 'broken'; error: unknown }

/** `idle`: RxDB waits for nothing; `waiting`: for a read to end, or for news. */
type Phase = 'idle' | 'gate' | 'planning' | 'waiting' | 'stopped'

export interface PullState<D> {
  phase: Phase
  gate: Gate<D>
  /** The plan is made beside a closed gate. */
  isClosed: boolean
  /** There may be something else to begin. */
  isRung: boolean
  lanes: Lanes
  lastId: number
  reads: readonly Read<D>[]
  troubles: ReadonlyMap<string, Trouble>
  /** Of what is read page by page, the pages so far. */
  snapshots: ReadonlyMap<string, Snapshot>
  /** What came, and what went wrong, until RxDB hears of it. */
  came: readonly D[]
  failures: readonly unknown[]
  /** What came waits for more, until its time is over. */
  isGathering: boolean
}

/** When something is told: on the clock of the ticks, and by what the CRM has accepted. */
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
  /** @param docs what is there without a call; null where nothing is left to begin, [] where there is more */
  | { kind: 'planned'; docs: readonly D[] | null }
  | { kind: 'planBroke'; error: unknown }
  /** @param page of a snapshot, where it is one */
  | { kind: 'read'; id: number; page?: Page | undefined }
  | { kind: 'merged'; id: number; docs: readonly D[]; answer?: QuestionAnswer | undefined }
  /** The CRM could not be asked. @param isHeld by the circuit */
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
  /** Its question has been answered, or nobody asked. */
  | { kind: 'ended'; id: number }
  | { kind: 'rung' }
  /** What came has waited for more. */
  | { kind: 'gathered' }
  | { kind: 'dropped'; name: string }
  /** Somebody asks for everything: no back-off holds. */
  | { kind: 'cleared' }
  | { kind: 'stopped' }

/** What a merge may do: `removes` only where a snapshot is complete (RULES PL1). */
export interface MergeHow {
  isLast: boolean
  removes: boolean
  /** It ends because it brings nothing new (RULES PL7). */
  isEndless: boolean
  snapshot: Snapshot
}

export type Command<D> =
  | { kind: 'pass' }
  | { kind: 'plan'; isOpen: boolean }
  /** Whether it may leave: beside the closed gate, or by its pace. */
  | { kind: 'ask'; of: 'hurry' | 'pace'; task: Task }
  | { kind: 'read'; id: number; task: Task }
  | { kind: 'abort'; id: number }
  | { kind: 'merge'; id: number; how: MergeHow }
  /** Tells the question; then the read has ended. */
  | { kind: 'answer'; id: number; answer: QuestionAnswer }
  /** Tells of a failure, and the question; then the read has ended. */
  | { kind: 'tell'; id: number; outcome: Outcome; tries: number; answer?: QuestionAnswer | undefined }
  /** The read has ended, and nothing is kept of it. */
  | { kind: 'forget'; id: number }
  | { kind: 'report'; problem: string }
  /** The gate waits. */
  | { kind: 'close'; retryAfterMs: number; begunAt: number }
  | { kind: 'wake'; at: number }
  /** `gathered` is to be told in a moment. */
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

/** How often a screen's question is tried again: after about eight minutes nobody looks at it any more. */
const QUESTION_TRIES = 10

type Known = Pick<PullState<unknown>, 'reads' | 'troubles' | 'lanes'>

export const isUnderWay = ({ reads }: Known, name: string): boolean =>
  reads.some((read) => read.name === name && !read.isDropped)

/** It is being read, or a screen has it read instead. */
export const isCovered = ({ reads }: Known, name: string): boolean =>
  reads.some((read) => (read.name === name && !read.isDropped) || read.instead === name)

export const isBusy = ({ reads }: Pick<Known, 'reads'>): boolean => reads.some(({ isDropped }) => !isDropped)

/** RxDB writes what it is given in one go, and tells all queries of it: more would hold up the screen. */
export const GIVEN_AT_ONCE = 100
/** From this many documents on, those of background reads are no longer held back. */
export const GATHERED_AT_ONCE = 25

/** What came is to be given: it waits for more only while something is being read. */
export const hasCome = ({ came, isGathering, reads }: Waiting): boolean =>
  came.length > 0 && !(isGathering && came.length < GATHERED_AT_ONCE && isBusy({ reads }))
type Waiting = Pick<PullState<unknown>, 'came' | 'isGathering' | 'reads'>

/** Places of a lane that are free; what was dropped keeps its place until it has ended. */
export const freeIn = ({ reads, lanes }: Known, lane: string): number =>
  (lanes[lane] ?? 0) - reads.filter((read) => read.lane === lane).length

export const triesOf = ({ troubles }: Known, name: string): number => troubles.get(name)?.tries ?? 0

/** Whether it is neither under way nor to be left alone for now. */
export const mayStart = (known: Known, name: string, now: number): boolean =>
  !isUnderWay(known, name) && !isWaiting(known.troubles.get(name), now)

/** It failed by itself, and is not being tried at this moment. */
export const isAlone = (known: Known, name: string): boolean =>
  known.troubles.get(name)?.isOwn === true && !isUnderWay(known, name)

/** Whether a question that was answered as failed is still tried. */
export const isStillTried = (known: Known, name: string): boolean =>
  triesOf(known, name) > 0 && triesOf(known, name) < QUESTION_TRIES
