/**
 * Decides which waiting caller of a circuit is next (RULES OC10). While the circuit is closed, all of them
 * go. Otherwise one caller goes at a time; if it makes no call, the next one goes.
 */
import { Observable } from 'rxjs'

/**
 * Ranks of callers when only one call may begin. The same rank is not chosen twice in a row while others wait
 * (`nextOf`).
 */
export const RANKS = { push: 0, screen: 1, pull: 2, probe: 3 } as const
export type Rank = (typeof RANKS)[keyof typeof RANKS]

/** A caller that begins no call within this time had nothing to call, and the next one goes. */
const TURN_MS = 200
interface Waiter {
  rank: Rank
  go: () => void
}

/**
 * The next caller: unsent work first, the probe last, and equal ranks in order of arrival. The rank that made
 * the last trial call is skipped: otherwise a write that always gets 503 would take every trial, and nothing
 * would be read.
 */
function nextOf(waiting: readonly Waiter[], tried: Rank | null): Waiter {
  const others = waiting.filter(({ rank }) => rank !== tried && rank !== RANKS.probe)
  const pool = others.length > 0 ? others : waiting
  return pool.reduce((best, each) => (each.rank < best.rank ? each : best))
}

interface Parts {
  /** Milliseconds of a monotonic clock. */
  now: () => number
  /** Starts a timer; returns a function that cancels it. */
  after: (ms: number, run: () => void) => () => void
  /** Milliseconds until a call may begin. */
  wait: () => number
  mayAllGo: () => boolean
}

/** Creates the waiting line of a circuit. */
export function createLanes({ now, after, wait, mayAllGo }: Parts) {
  let waiting: Waiter[] = []
  /** The rank that may call now, and the rank of the last trial call; null while all may go. */
  let turn: { rank: Rank; until: number } | null = null
  let tried: Rank | null = null
  let endTimer = () => undefined as void

  function give(): void {
    endTimer()
    const all = mayAllGo()
    if (all) turn = tried = null
    if (waiting.length === 0) return
    const ms = Math.max(wait(), (turn?.until ?? 0) - now())
    if (ms > 0) {
      endTimer = after(Math.ceil(ms), give)
      return
    }
    const first = nextOf(waiting, tried)
    const going = all ? waiting : [first]
    if (!all) turn = { rank: first.rank, until: now() + TURN_MS }
    waiting = waiting.filter((each) => !going.includes(each))
    if (waiting.length > 0) endTimer = after(TURN_MS, give)
    for (const { go } of going) go()
  }

  return {
    /** Lets the callers go that may begin a call now. */
    give,
    /** A call begins: the chosen caller has made its call. */
    taken() {
      tried = turn?.rank ?? tried
      turn = null
    },
    /** Emits once when this caller may begin a call. */
    turn$: (rank: Rank) =>
      new Observable<void>((mine) => {
        const go = () => {
          mine.next()
          mine.complete()
        }
        const one = { rank, go }
        waiting.push(one)
        give()
        return () => {
          waiting = waiting.filter((each) => each !== one)
        }
      }),
  }
}
