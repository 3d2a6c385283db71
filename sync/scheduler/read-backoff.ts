/**
 * The back-off of each list or record that cannot be read (RULES PL8; decisions/scheduler). Other calls that
 * the CRM accepts meanwhile show whether the CRM has a problem or only this read:
 *
 *     failed ─┬→ no call was accepted since its first try: perhaps the CRM (the gate waits; this read is last)
 *             └→ a call was accepted: its own trouble (only it waits, 500 ms doubling to 5 minutes)
 */
import { backoffDelay } from '#sync/lib/backoff.ts'
import type { PullGate } from './scheduler.ts'
import type { Outcome } from '#sync/transport/outcome.ts'

/** The longest wait of a read that fails for its own reasons. */
export const OWN_RETRY_MAX_MS = 5 * 60_000

/** The failures of one read. */
export interface Trouble {
  tries: number
  /** Milliseconds of a monotonic clock. */
  notBefore: number
  /** Number of calls that the CRM had accepted at its first try. */
  acceptedBefore: number
  /** True if the CRM accepted other calls meanwhile, so that only this read is affected. */
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
 * The trouble after a failure. The first call without an answer proves nothing about the list or record; a
 * second one does.
 */
export function troubleAfter(previous: Trouble | undefined, failure: Failure): Trouble {
  const tries = (previous?.tries ?? 0) + 1
  const acceptedBefore = previous?.acceptedBefore ?? failure.acceptedBefore
  const isConclusive = failure.outcome.kind === 'unknown' || tries > 1
  return {
    tries,
    acceptedBefore,
    notBefore: failure.now + backoffDelay(tries - 1, failure.random, 0, OWN_RETRY_MAX_MS),
    isOwn: previous?.isOwn === true || (isConclusive && failure.accepted > acceptedBefore),
  }
}

/** True while its back-off is not over. */
export const isWaiting = (trouble: Trouble | undefined, now: number): boolean =>
  trouble !== undefined && trouble.isOwn && now < trouble.notBefore

/** Thrown if a read got no usable answer. RxDB then calls the pull's handler again. */
export class PullAgain extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super(outcome.kind)
    this.outcome = outcome
  }
}

/** The outcomes that end a read: the CRM has answered or refused. */
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
 * Sorts by number of failed tries, fewest first, so that reads that fail alternate and delay no other read
 * (RULES PL8).
 */
export const fewestTriesFirst = <T>(all: readonly T[], triesOf: (one: T) => number): T[] =>
  all.toSorted((a, b) => triesOf(a) - triesOf(b))
