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

/** The failures of one read. Times are milliseconds of a monotonic clock. */
export interface Trouble {
  tries: number
  notBefore: number
  /** Number of calls that the CRM had accepted when the first try began. */
  acceptedBefore: number
  /** True if the CRM accepted other calls meanwhile, so that only this read is affected. */
  isOwn: boolean
}

/** A failed try. The CRM had accepted `acceptedBefore` calls when it began, and `accepted` at its end. */
export interface Failure extends Pick<Trouble, 'acceptedBefore'> {
  now: number
  random: number
  outcome: Outcome
  accepted: number
}

/** The trouble after a failure. A first failure without an answer does not yet show that only this read fails. */
export function troubleAfter(before: Trouble | undefined, failure: Failure): Trouble {
  const { tries = 0, acceptedBefore = failure.acceptedBefore, isOwn = false } = before ?? {}
  const isConclusive = failure.outcome.kind === 'unknown' || tries > 0
  return {
    tries: tries + 1,
    acceptedBefore,
    notBefore: failure.now + backoffDelay(tries, failure.random, 0, OWN_RETRY_MAX_MS),
    isOwn: isOwn || (isConclusive && failure.accepted > acceptedBefore),
  }
}

/** True while a read with a trouble of its own backs off. */
export const isWaiting = (trouble: Trouble | undefined, now: number): boolean =>
  trouble?.isOwn === true && now < trouble.notBefore

/** Thrown if a read got no usable answer. */
export class PullAgain extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super(outcome.kind)
    this.outcome = outcome
  }
}

/** Interprets the outcome of a read. @throws PullAgain if there was no usable answer */
export function readable(gate: Pick<PullGate, 'succeeded'>, outcome: Outcome) {
  if (outcome.kind !== 'accepted' && outcome.kind !== 'refused' && outcome.kind !== 'missing')
    throw new PullAgain(outcome)
  gate.succeeded()
  return outcome
}

/** Sorts by number of failed tries, fewest first, so that failing reads alternate and delay no other (RULES PL8). */
export const fewestTriesFirst = <T>(all: readonly T[], triesOf: (one: T) => number): T[] =>
  all.toSorted((a, b) => triesOf(a) - triesOf(b))
