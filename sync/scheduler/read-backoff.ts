/**
 * The back-off of what cannot be read, each its own (RULES PL8; decisions/scheduler). Whether the CRM does not answer
 * at all, or only for this one, is told by what it accepted meanwhile:
 *
 *     failed ─→ nothing was accepted since its first try: perhaps the CRM (the gate waits; this one goes last)
 *            └─ something was: its own trouble, until it can be read (it waits alone, 500 ms doubling to 5 minutes)
 */
import { backoffDelay } from '#sync/lib/backoff.ts'
import type { PullGate } from './gate.ts'
import type { Outcome } from '#sync/transport/outcome.ts'

/** A list that has failed for long costs this much patience, and its reader no more than that. */
export const OWN_RETRY_MAX_MS = 5 * 60_000

/** What is known of something that could not be read. */
export interface Trouble {
  tries: number
  /** By a clock that nobody sets, in milliseconds. */
  notBefore: number
  /** How many calls the CRM had accepted when it was first tried. */
  acceptedBefore: number
  isOwn: boolean
}

export interface Failure {
  /** As `Trouble.notBefore`. */
  now: number
  random: number
  outcome: Outcome
  /** How many calls the CRM had accepted when this try began, and has now. */
  acceptedBefore: number
  accepted: number
}

/** A call that found no way says nothing of what it was to read, the first time. */
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

/** Whether it is left alone for now. */
export const isWaiting = (trouble: Trouble | undefined, now: number): boolean =>
  trouble !== undefined && trouble.isOwn && now < trouble.notBefore

/** The CRM could not be asked; while it may be all of it, RxDB calls the handler again. */
export class PullAgain extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super(outcome.kind)
    this.outcome = outcome
  }
}

/** What the CRM said, or a no of its own. */
type Readable = Extract<Outcome, { kind: 'accepted' | 'refused' | 'missing' }>

/**
 * The reading of an outcome, the same for every pull.
 * @throws PullAgain where nothing was said that could be used
 */
export function readable(gate: Pick<PullGate, 'succeeded'>, outcome: Outcome): Readable {
  if (outcome.kind !== 'accepted' && outcome.kind !== 'refused' && outcome.kind !== 'missing')
    throw new PullAgain(outcome)
  gate.succeeded()
  return outcome
}

/** Fewest failures first, so that two that cannot be read take turns and hold up nothing else (RULES PL8). */
export const fewestTriesFirst = <T>(all: readonly T[], triesOf: (one: T) => number): T[] =>
  all.toSorted((a, b) => triesOf(a) - triesOf(b))
