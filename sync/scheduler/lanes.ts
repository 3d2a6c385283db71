/**
 * Decides which waiting caller of a circuit breaker begins next (RULES OC10). While the circuit is closed,
 * all callers are admitted. While it is open, one caller at a time is admitted for a trial call, which tests
 * whether the API answers again. If the admitted caller makes no call, the next one is admitted.
 */
import { Observable } from 'rxjs'

/**
 * Ranks of callers for trial calls, most urgent first. A rank makes no two trial calls in a row while another
 * one waits; the probe is not counted as another one, because it is last (`nextOf`).
 */
export const RANKS = { push: 0, screen: 1, pull: 2, probe: 3 } as const
export type Rank = (typeof RANKS)[keyof typeof RANKS]

/** An admitted caller that begins no call within this time has nothing to call; the next one is admitted. */
const GRANT_MS = 200
interface Waiter {
  rank: Rank
  admit: () => void
}

/**
 * The next caller: by rank, and equal ranks in order of arrival. The rank of the last trial call is skipped
 * while a caller of another rank waits, except the probe. Otherwise a write that always gets 503 would make
 * every trial call, and nothing would be read.
 */
function nextOf(waiting: readonly Waiter[], lastTrialRank: Rank | null): Waiter {
  const otherRanks = waiting.filter(({ rank }) => rank !== lastTrialRank && rank !== RANKS.probe)
  const pool = otherRanks.length > 0 ? otherRanks : waiting
  return pool.reduce((best, each) => (each.rank < best.rank ? each : best))
}

interface Parts {
  /** Milliseconds of a monotonic clock. */
  now: () => number
  /** Starts a timer; returns a function that cancels it. */
  after: (ms: number, run: () => void) => () => void
  /** Milliseconds until a call may begin. */
  wait: () => number
  /** True while the circuit is closed: all callers may begin. */
  isClosed: () => boolean
}

/** Creates the waiting line of a circuit. */
export function createLanes({ now, after, wait, isClosed }: Parts) {
  let waiting: Waiter[] = []
  /** The rank admitted for a trial call, and when its admission ends; null while there is none. */
  let granted: { rank: Rank; until: number } | null = null
  let lastTrialRank: Rank | null = null
  let endTimer = () => undefined as void

  function admitNext(): void {
    endTimer()
    const areAllAdmitted = isClosed()
    if (areAllAdmitted) granted = lastTrialRank = null
    if (waiting.length === 0) return
    const ms = Math.max(wait(), (granted?.until ?? 0) - now())
    if (ms > 0) {
      endTimer = after(Math.ceil(ms), admitNext)
      return
    }
    const next = nextOf(waiting, lastTrialRank)
    const admitted = areAllAdmitted ? waiting : [next]
    if (!areAllAdmitted) granted = { rank: next.rank, until: now() + GRANT_MS }
    waiting = waiting.filter((each) => !admitted.includes(each))
    if (waiting.length > 0) endTimer = after(GRANT_MS, admitNext)
    for (const { admit } of admitted) admit()
  }

  return {
    /** Admits the callers that may begin a call now. */
    admitNext,
    /** Called when a call begins: the admission is used up. */
    onCallBegun() {
      lastTrialRank = granted?.rank ?? lastTrialRank
      granted = null
    },
    /** Emits once when a caller of this rank may begin a call. */
    admission$: (rank: Rank) =>
      new Observable<void>((subscriber) => {
        const admit = () => {
          subscriber.next()
          subscriber.complete()
        }
        const waiter = { rank, admit }
        waiting.push(waiter)
        admitNext()
        return () => {
          waiting = waiting.filter((each) => each !== waiter)
        }
      }),
  }
}
