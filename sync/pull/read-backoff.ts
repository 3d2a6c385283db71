/**
 * The back-off of what cannot be read, each its own (RULES PL8; decision 0038). Whether the CRM does not answer at all, or
 * only for this one, is told by what it accepted meanwhile:
 *
 *     failed ─→ nothing was accepted since its first try: perhaps the CRM (the gate waits; this one goes last)
 *            └─ something was: its own trouble, until it can be read (it waits alone, 500 ms doubling to 5 minutes)
 */
import { Subject, switchMap, takeUntil, type Observable } from 'rxjs'
import { backoffDelay } from '../transport/backoff.ts'
import type { PullGate } from '../transport/gate.ts'
import type { Outcome } from '../transport/outcome.ts'
import { TICKS, type Ticks } from '../runtime/ticks.ts'

/** A list that has failed for long costs this much patience, and its reader no more than that. */
export const OWN_RETRY_MAX_MS = 5 * 60_000
/** So often what a screen asked for is tried again: after about eight minutes nobody looks at it any more. */
const QUESTION_TRIES = 10

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

export interface BackoffParts {
  gate: PullGate
  accepted: () => number
  random: () => number
  report: (problem: string) => void
  /** Something may be tried again. */
  wake: () => void
  stop$: Observable<unknown>
  ticks?: Ticks
}

/** When a try began. */
interface Begun {
  acceptedBefore: number
  begunAt: number
}

export type ReadBackoffs = ReturnType<typeof createReadBackoffs>

export function createReadBackoffs(parts: BackoffParts) {
  const { gate, accepted, random, report, wake, stop$, ticks = TICKS } = parts
  const troubles = new Map<string, Trouble>()
  const wake$ = new Subject<number>()
  wake$
    .pipe(
      switchMap((at) => ticks.after$(Math.max(0, at - ticks.now()))),
      takeUntil(stop$),
    )
    .subscribe(wake)
  const wakeAtNext = () => {
    const now = ticks.now()
    const next = [...troubles.values()].filter((one) => isWaiting(one, now)).map((one) => one.notBefore)
    if (next.length > 0) wake$.next(Math.min(...next) + 1)
  }

  function failed(name: string, outcome: Outcome, begun: Begun): Trouble {
    const { acceptedBefore, begunAt } = begun
    const previous = troubles.get(name)
    const now = ticks.now()
    const failure = { now, random: random(), outcome, acceptedBefore, accepted: accepted() }
    const trouble = troubleAfter(previous, failure)
    troubles.set(name, trouble)
    if (trouble.isOwn && !previous?.isOwn) report(`${name}: ${kindOf(outcome)}`)
    if (!trouble.isOwn || outcome.kind === 'throttled')
      gate.failed(outcome.kind === 'throttled' ? outcome.retryAfterMs : 0, begunAt)
    wakeAtNext()
    return trouble
  }

  return {
    isWaiting: (name: string) => isWaiting(troubles.get(name), ticks.now()),
    /** It failed before: what did not goes first. */
    isDoubtful: (name: string) => troubles.has(name),
    triesOf: (name: string) => troubles.get(name)?.tries ?? 0,
    /** Whether a question that was answered as failed is still tried. */
    isOpen: (name: string) => troubles.has(name) && (troubles.get(name)?.tries ?? 0) < QUESTION_TRIES,
    /** Somebody asks for everything. */
    clear: () => troubles.clear(),

    /**
     * What `read` gives; nothing where it failed by trouble of its own.
     * @param failing told of each failure, before anything waits
     * @throws PullAgain where it may be the CRM that does not answer
     */
    async tried<T>(
      name: string,
      read: () => Promise<T[]>,
      failing: (outcome: Outcome) => Promise<unknown> = async () => undefined,
    ): Promise<T[]> {
      const begun = { acceptedBefore: accepted(), begunAt: ticks.now() }
      try {
        const gave = await read()
        troubles.delete(name)
        return gave
      } catch (error) {
        if (!(error instanceof PullAgain)) throw error
        const { outcome } = error
        if (saysNothingOf(outcome)) {
          // what the circuit holds waits for its turn at the gate anyway
          if (!gate.isHeld()) gate.failed(0, begun.begunAt)
          throw error
        }
        const { isOwn } = failed(name, outcome, begun)
        await failing(outcome)
        if (isOwn) return []
        throw error
      }
    },
  }
}

/** Of what was to be read: the session stands in the way, or the circuit. */
const saysNothingOf = (outcome: Outcome) =>
  outcome.kind === 'unauthorized' || (outcome.kind === 'unreachable' && outcome.held === true)

const kindOf = (outcome: Outcome) => ('status' in outcome ? `${outcome.status}` : outcome.kind)
