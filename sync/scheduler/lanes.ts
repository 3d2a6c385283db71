/**
 * Who calls next at the circuit (RULES OC10). While it is closed everyone who waits goes; else one after the other, and who
 * has its turn and calls nothing lets the next one go.
 */
import { Observable } from 'rxjs'

/** Who goes first when only one call may go; nobody twice in a row while others wait (`nextOf`). */
export const RANKS = { push: 0, screen: 1, pull: 2, probe: 3 } as const
export type Rank = (typeof RANKS)[keyof typeof RANKS]

/** Whoever has the turn and begins no call within this time had nothing to call: the next one goes. */
const TURN_MS = 200
interface Waiter {
  rank: Rank
  go: () => void
}

/**
 * Unsent work first, the probe last, and those of a kind in the order of asking. Who called on trial before lets others go:
 * a write that is answered 503 for ever would else take every call that may go, and nothing would be read.
 */
function nextOf(waiting: readonly Waiter[], tried: Rank | null): Waiter {
  const others = waiting.filter(({ rank }) => rank !== tried && rank !== RANKS.probe)
  const pool = others.length > 0 ? others : waiting
  return pool.reduce((best, each) => (each.rank < best.rank ? each : best))
}

interface Parts {
  /** Milliseconds, of a clock that nobody sets. */
  now: () => number
  /** @returns what ends the timer */
  after: (ms: number, run: () => void) => () => void
  /** Milliseconds until a call may begin. */
  wait: () => number
  mayAllGo: () => boolean
}

export function createLanes({ now, after, wait, mayAllGo }: Parts) {
  let waiting: Waiter[] = []
  /** Who has the turn while only one call may go, and who called on trial last; null while all may go. */
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
    /** Hands out turns to whoever may go now. */
    give,
    /** A call begins: whoever had the turn has used it. */
    taken() {
      tried = turn?.rank ?? tried
      turn = null
    },
    /** Emits once, when it is this one's turn to call. */
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
