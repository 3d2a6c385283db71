/**
 * The back-off of each list or record that cannot be read (RULES PL8; decisions/scheduler). Other calls that the CRM
 * accepts meanwhile show whether the CRM has a problem or only this read:
 *
 *     failed ─┬→ no call was accepted since the read's first try: perhaps the CRM fails, so the gate waits
 *             └→ a call was accepted: the read has a trouble of its own, and waits alone, 500 ms doubling to 5 minutes
 */
import { backoffDelay } from '#sync/lib/backoff.ts'
import type { PullGate } from './scheduler.ts'
import type { Outcome } from '#sync/transport/outcome.ts'

export const OWN_RETRY_MAX_MS = 5 * 60_000

/** The failures of one read. */
export interface Trouble {
  tries: number
  /** Milliseconds of a monotonic clock. */
  notBefore: number
  /** Number of calls that the CRM had accepted when the first try began. */
  acceptedBefore: number
  /** True if the CRM accepted other calls meanwhile, so that only this read is affected. */
  isOwn: boolean
}

export interface Failure {
  /** Milliseconds of the clock of `Trouble.notBefore`. */
  now: number
  random: number
  outcome: Outcome
  /** Number of calls that the CRM had accepted when this try began, and now. */
  acceptedBefore: number
  accepted: number
}

/** The trouble after a failure. A first call without an answer proves nothing about the read; a second one does. */
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

/** True while a read with a trouble of its own backs off. */
export const isWaiting = (trouble: Trouble | undefined, now: number): boolean =>
  trouble !== undefined && trouble.isOwn && now < trouble.notBefore

/** Thrown if a read got no usable answer. */
export class PullAgain extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super(outcome.kind)
    this.outcome = outcome
  }
}

/** Interprets the outcome of a read. @throws PullAgain if there was no usable answer */
export function readable(
  gate: Pick<PullGate, 'succeeded'>,
  outcome: Outcome,
): Extract<Outcome, { kind: 'accepted' | 'refused' | 'missing' }> {
  if (outcome.kind !== 'accepted' && outcome.kind !== 'refused' && outcome.kind !== 'missing')
    throw new PullAgain(outcome)
  gate.succeeded()
  return outcome
}

/** Sorts by number of failed tries, fewest first, so that failing reads alternate and delay no other (RULES PL8). */
export const fewestTriesFirst = <T>(all: readonly T[], triesOf: (one: T) => number): T[] =>
  all.toSorted((a, b) => triesOf(a) - triesOf(b))
