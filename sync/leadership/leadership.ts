/**
 * Chooses the leader, the tab that talks to the CRM: it owns the lead lock, for which the other tabs wait. A waiting
 * tab that is visible pings the leader every half minute. A frozen tab keeps its locks, so a waiting tab takes the
 * lead lock from a leader that does not answer (decisions/tabs).
 *
 *     in line ── granted ─────────────────────────────→ leads ── closed, stopped ──→ (the next in line)
 *      │                                                  │
 *      └ visible, pings, no answer ── takes the lock ─→   └ lock taken: stops, in line again
 *
 * Two leaders at a time do no harm, because a lease lets only one tab send at a time (`lease.ts`).
 */
import {
  EMPTY,
  combineLatest,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  fromEvent,
  map,
  merge,
  of,
  startWith,
  switchMap,
  timer,
  type Observable,
} from 'rxjs'
import type { TabChannel, TabLocks } from './lease.ts'

const ASK_EVERY_MS = 5_000
const ASKS = 4
const INTERVALS_AFTER_ANSWER = 6
const ASK = 'ask'
const HERE = 'here'

export interface Running {
  stop(): Promise<void>
}

/** `leadershipLost` is called if another tab took the lead, because this tab was frozen. */
interface TabParts {
  locks: TabLocks
  channel: TabChannel
  visible$: Observable<boolean>
  askEveryMs?: number | undefined
  leadershipLost?: (() => void) | undefined
}

/** Waits for the lead lock, and calls `lead` each time this tab gets it. `stop` ends the waiting and leading. */
export function inLine(parts: TabParts, name: string, lead: () => Running): Running {
  const { locks, channel, visible$, askEveryMs = ASK_EVERY_MS } = parts
  const stopped = new AbortController()
  let leads = false
  const hearing = channel.messages$.subscribe((word) => {
    if (word === ASK && leads) channel.say(HERE)
  })

  async function run(lost: AbortSignal): Promise<void> {
    if (stopped.signal.aborted) return
    leads = true
    const running = lead()
    await aborted(lost, stopped.signal)
    leads = false
    await running.stop()
    if (lost.aborted && !stopped.signal.aborted) parts.leadershipLost?.()
  }
  async function stayInLine(): Promise<void> {
    while (!stopped.signal.aborted) {
      const waiting = new AbortController()
      const over$ = merge(silence$(channel, visible$, askEveryMs), fromEvent(stopped.signal, 'abort'))
      const asking = over$.subscribe(() => waiting.abort())
      const granted = (lost: AbortSignal) => {
        asking.unsubscribe()
        return run(lost)
      }
      await locks.lead(name, granted, { signal: waiting.signal })
      asking.unsubscribe()
      // The leader did not answer, so this tab takes the lock from it.
      if (waiting.signal.aborted && !stopped.signal.aborted)
        await locks.lead(name, run, { signal: stopped.signal, steal: true })
    }
  }
  const end = stayInLine()
  return {
    async stop() {
      stopped.abort()
      await end
      hearing.unsubscribe()
    },
  }
}

/** Emits true while any tab is visible, known by its pings: the leader also reads for their screens (RULES PL5, PL10). */
export function anyInSight$(
  parts: Pick<TabParts, 'channel' | 'visible$' | 'askEveryMs'>,
): Observable<boolean> {
  const { channel, visible$, askEveryMs = ASK_EVERY_MS } = parts
  const silent$ = timer((INTERVALS_AFTER_ANSWER + 2) * askEveryMs).pipe(map(() => false))
  const other$ = channel.messages$.pipe(
    filter((word) => word === ASK),
    switchMap(() => silent$.pipe(startWith(true))),
    startWith(false),
  )
  return combineLatest([visible$, other$]).pipe(
    map(([own, other]) => own || other),
    distinctUntilChanged(),
  )
}

/** Emits when the leader has not answered `ASKS` pings in a row. Only a visible tab pings. */
const silence$ = (channel: TabChannel, visible$: Observable<boolean>, everyMs: number) =>
  visible$.pipe(switchMap((visible) => (visible ? unanswered$(channel, everyMs) : EMPTY)))

const unanswered$ = (channel: TabChannel, everyMs: number) =>
  channel.messages$.pipe(
    filter((word) => word === HERE),
    map(() => INTERVALS_AFTER_ANSWER * everyMs),
    startWith(everyMs),
    switchMap((wait) => asking$(channel, everyMs, wait, 0)),
  )

/** Emits when `ASKS` pings had no answer. The first ping is sent after `wait` milliseconds. */
const asking$ = (channel: TabChannel, everyMs: number, wait: number, asks: number): Observable<unknown> => {
  const before = performance.now()
  return timer(wait).pipe(
    switchMap(() => {
      // A tab that was asleep may have missed an answer, so the pings without an answer are counted from 0 again.
      const known = performance.now() - before > wait + everyMs ? 0 : asks
      if (known >= ASKS) return [true]
      channel.say(ASK)
      return asking$(channel, everyMs, everyMs, known + 1)
    }),
  )
}

const aborted = (...signals: AbortSignal[]) =>
  firstValueFrom(
    merge(...signals.map((signal) => (signal.aborted ? of(signal) : fromEvent(signal, 'abort')))),
  )
