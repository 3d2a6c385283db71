/**
 * The handler of a pull whose reads run beside each other (RULES PL9). RxDB calls it one turn after another; it never waits
 * for a certain read:
 *
 *     begin what is due ─→ reads under way ─→ the first that ends: its documents are given, the others go on
 *           ↑                                   │
 *           └── a screen asks, the gate opens ──┘   nothing is due or under way: an empty list, unless it `stays`
 *
 * While the gate is closed what comes is given all the same, and one call of a screen may begin (`gate.mayHurry`).
 */
import { BehaviorSubject, filter, firstValueFrom, takeUntil } from 'rxjs'
import { passedOr } from '../retention/expiry.ts'
import { GateClosed } from '../transport/gate.ts'
import type { InFlight } from '../runtime/in-flight.ts'
import type { Outcome } from '../transport/outcome.ts'
import { createReadBackoffs, type BackoffParts, type ReadBackoffs } from './read-backoff.ts'

interface Parts<D> extends BackoffParts {
  /** Removals that need no call (RULES EX1). */
  expired: () => Promise<D[]>
  /**
   * Starts what may go.
   * @param isOpen false: the gate is closed for all but what it lets through
   * @returns what is there without a call; null where nothing is left to begin
   */
  begin: (isOpen: boolean) => Promise<D[] | null>
  inFlight: InFlight
  /** Never ends by itself, and is rung: RxDB calls no pull while a push of the collection is blocked (trap 16). */
  stays?: boolean
}

export interface PullLoop<D> {
  handler(): Promise<D[]>
  backoffs: ReadBackoffs
  /**
   * Starts a read.
   * @param name what it is known by, to its back-off too
   * @param failing told of each failure, before anything waits
   */
  start(
    name: string,
    read: (signal: AbortSignal) => Promise<D[]>,
    failing?: (outcome: Outcome) => Promise<unknown>,
  ): void
  isUnderWay(name: string): boolean
  isBusy(): boolean
  /** Whether it is neither under way nor to be left alone for now. */
  mayStart(name: string): boolean
  /** The same for what a screen asks for: once, the gate lets it through before its back-off is over. */
  mayAsk(name: string, isOpen: boolean): boolean
  /** Nobody wants it any more: it does not leave, or goes to its end where it has. */
  drop(name: string): void
  /** There may be something else to begin. */
  ring(): void
}

export function createPullLoop<D>(parts: Parts<D>): PullLoop<D> {
  const { gate, expired, begin, inFlight, stays, stop$ } = parts
  const backoffs = createReadBackoffs(parts)
  const underWay = new Map<string, AbortController>()
  const news$ = new BehaviorSubject(false)
  const ring = () => news$.next(true)
  const news = () =>
    firstValueFrom(news$.pipe(filter(Boolean), takeUntil(stop$))).catch(() => {
      throw new GateClosed('sync stopped')
    })
  const came: D[] = []
  const failures: unknown[] = []
  let passing: Promise<D[]> | null = null

  /** @throws the first failure, where nothing came */
  function taken(): D[] {
    const [failure] = failures.splice(0, came.length > 0 ? 0 : Infinity)
    if (failure !== undefined) throw failure
    return came.splice(0)
  }

  /** @returns what expired at the gate, and whether it is open; false where there was news first */
  async function atGate(): Promise<{ gone: D[]; isOpen: boolean }> {
    passing ??= passedOr(gate, expired)
    // it is heard at the next turn
    passing.catch(() => undefined)
    try {
      const gone = await Promise.race([passing, news().then(() => null)])
      if (gone === null) return { gone: [], isOpen: false }
      passing = null
      return { gone, isOpen: gone.length === 0 }
    } catch (error) {
      passing = null
      throw error
    }
  }

  const mayStart = (name: string) => !underWay.has(name) && !backoffs.isWaiting(name)

  async function run(name: string, controller: AbortController, tried: () => Promise<D[]>) {
    try {
      came.push(...(await tried()))
    } catch (error) {
      if (!controller.signal.aborted) failures.push(error)
    } finally {
      if (underWay.get(name) === controller) underWay.delete(name)
      ring()
    }
  }

  return {
    async handler() {
      for (let isClosed = false; ;) {
        const docs = taken()
        if (docs.length > 0) return docs
        // what came before is seen by `begin` anyway
        if (!isClosed) news$.next(false)
        const { gone, isOpen } = await atGate()
        if (gone.length > 0) return gone
        isClosed = !isOpen
        news$.next(false)
        const now = await begin(isOpen)
        if (now && now.length > 0) return now
        if (!isOpen || now || came.length + failures.length > 0) continue
        if (underWay.size === 0 && !news$.value && !stays) return []
        await news()
      }
    },
    backoffs,
    start(name, read, failing) {
      const controller = new AbortController()
      underWay.set(name, controller)
      const tried = () => backoffs.tried(name, () => read(controller.signal), failing)
      void inFlight.run(() => run(name, controller, tried))
    },
    isUnderWay: (name) => underWay.has(name),
    isBusy: () => underWay.size > 0,
    mayStart,
    mayAsk: (name, isOpen) => mayStart(name) && (isOpen || (backoffs.triesOf(name) === 0 && gate.mayHurry())),
    drop(name) {
      underWay.get(name)?.abort()
      underWay.delete(name)
    },
    ring,
  }
}
