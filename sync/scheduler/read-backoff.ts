/**
 * The back-off of each thing that cannot be read (RULES PL8; decisions/scheduler). What the CRM accepts
 * meanwhile shows whether the problem is the CRM or only this thing:
 *
 *     failed ─┬→ nothing was accepted since its first try: perhaps the CRM (the gate waits; this one goes last)
 *             └→ something was: its own trouble (it waits alone, 500 ms doubling to 5 minutes)
 */
import { backoffDelay } from '#sync/lib/backoff.ts'
import type { PullGate } from './gate.ts'
import type { Outcome } from '#sync/transport/outcome.ts'

/** The longest wait of something that cannot be read. */
export const OWN_RETRY_MAX_MS = 5 * 60_000

/** What is known about something that could not be read. */
export interface Trouble {
  tries: number
  /** Milliseconds of a monotonic clock. */
  notBefore: number
  /** Number of calls that the CRM had accepted at its first try. */
  acceptedBefore: number
  isOwn: boolean
}

/** A failed read. */
export interface Failure {
  /** On the clock of `Trouble.notBefore`. */
  now: number
  random: number
  outcome: Outcome
  /** Number of calls that the CRM had accepted when this try began, and now. */
  acceptedBefore: number
  accepted: number
}

/**
 * The trouble after a failure. A call without an answer says nothing about what it was to read, the first
 * time.
 */
export function troubleAfter(previous: Trouble | undefined, failure: Failure): Trouble {
  const tries = (previous?.tries ?? 0) + 1
  const acceptedBefore = previous?.acceptedBefore ?? failure.acceptedBefore
  const tellsOfIt = failure.outcome.kind === 'unknown' || tries > 1
  return {
    tries,
    acceptedBefore,
    notBefore: failure.now + backoffDelay(tries - 1, failure.random, 0, OWN_RETRY_MAX_MS),
    isOwn: previous?.isOwn === true || (tellsOfIt && failure.accepted > acceptedBefore),
  }
}

/** True if it is not to be read now. */
export const isWaiting = (trouble: Trouble | undefined, now: number): boolean =>
  trouble !== undefined && trouble.isOwn && now < trouble.notBefore

/** Thrown if the CRM could not be read. RxDB then calls the handler again. */
export class PullAgain extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super(outcome.kind)
    this.outcome = outcome
  }
}

/** An answer of the CRM, or its refusal. */
type Readable = Extract<Outcome, { kind: 'accepted' | 'refused' | 'missing' }>

/**
 * Interprets the outcome of a read, the same for every pull.
 * @throws PullAgain if there was no usable answer
 */
export function readable(gate: Pick<PullGate, 'succeeded'>, outcome: Outcome): Readable {
  if (outcome.kind !== 'accepted' && outcome.kind !== 'refused' && outcome.kind !== 'missing')
    throw new PullAgain(outcome)
  gate.succeeded()
  return outcome
}

/**
 * Sorts by number of tries, fewest first, so that things that cannot be read alternate and delay nothing else
 * (RULES PL8).
 */
export const fewestTriesFirst = <T>(all: readonly T[], triesOf: (one: T) => number): T[] =>
  all.toSorted((a, b) => triesOf(a) - triesOf(b))
