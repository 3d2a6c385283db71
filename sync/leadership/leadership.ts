/**
 * Chooses the leader, which is the tab that talks to the CRM: it has the lead lock. Other tabs wait in line for this
 * lock. A waiting tab that is visible pings the leader, every half minute as long as the leader answers. A frozen
 * leader still has its locks but does not answer, so a waiting tab takes the lead lock from it (decisions/tabs).
 *
 *     in line ── granted ─────────────────────────────→ leads ── closed, stopped ──→ (the next in line)
 *      │                                                  │
 *      └ visible, pings, no answer ── takes the lock ─→   └ lock taken: stops, in line again
 *
 * Correctness does not depend on who leads: two tabs that both lead still send one after the other
 * (`lease.ts`).
 */
import {
  combineLatest,
  distinctUntilChanged,
  EMPTY,
  filter,
  map,
  startWith,
  switchMap,
  timer,
  type Observable,
} from 'rxjs'
import type { TabLocks } from './lease.ts'
import type { TabChannel } from './tab-channel.ts'

const ASK_EVERY_MS = 5_000
const ASKS = 4
/** After an answer of the leader, the next ping is sent after this many intervals. */
const CALM = 6
const ASK = 'ask'
const HERE = 'here'

/** A task that can be stopped. */
export interface Running {
  stop(): Promise<void>
}

interface TabParts {
  locks: TabLocks
  channel: TabChannel
  visible$: Observable<boolean>
  askEveryMs?: number | undefined
  /** Called if another tab has taken the lead from this tab, because this tab was frozen. */
  leadershipLost?: (() => void) | undefined
}

/** Waits in line, and runs `lead` whenever this tab leads, until the result is stopped. */
export function inLine(
  { locks, channel, visible$, askEveryMs = ASK_EVERY_MS, leadershipLost }: TabParts,
  name: string,
  lead: () => Running,
): Running {
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
    if (lost.aborted && !stopped.signal.aborted) leadershipLost?.()
  }
  /** Waits for the lead lock and leads. Returns true if the wait ended because the leader did not answer. */
  async function waited(): Promise<boolean> {
    const waiting = new AbortController()
    const end = () => waiting.abort()
    stopped.signal.addEventListener('abort', end)
    const asking = silence$(channel, visible$, askEveryMs).subscribe(end)
    const granted = (lost: AbortSignal) => {
      asking.unsubscribe()
      return run(lost)
    }
    await locks.lead(name, granted, { signal: waiting.signal })
    asking.unsubscribe()
    stopped.signal.removeEventListener('abort', end)
    return waiting.signal.aborted
  }
  async function stayInLine(): Promise<void> {
    while (!stopped.signal.aborted)
      if ((await waited()) && !stopped.signal.aborted)
        await locks.lead(name, run, { signal: stopped.signal, steal: true })
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

/**
 * Emits true while any tab is visible: this tab, or a waiting tab, which pings while it is visible. So the leader reads
 * for visible screens (RULES PL5, PL10) also if only another tab is visible.
 */
export function anyInSight$({
  channel,
  visible$,
  askEveryMs = ASK_EVERY_MS,
}: Pick<TabParts, 'channel' | 'visible$' | 'askEveryMs'>): Observable<boolean> {
  // Pings come half a minute apart, and timers can be late.
  const untilSilent$ = timer((CALM + 2) * askEveryMs).pipe(
    map(() => false),
    startWith(true),
  )
  const other$ = channel.messages$.pipe(
    filter((word) => word === ASK),
    switchMap(() => untilSilent$),
    startWith(false),
  )
  return combineLatest([visible$, other$]).pipe(
    map(([own, other]) => own || other),
    distinctUntilChanged(),
  )
}

/** Emits when the leader has left `ASKS` pings in a row unanswered. Only a visible tab pings. */
const silence$ = (channel: TabChannel, visible$: Observable<boolean>, everyMs: number) =>
  visible$.pipe(switchMap((visible) => (visible ? unanswered$(channel, everyMs) : EMPTY)))

const unanswered$ = (channel: TabChannel, everyMs: number) =>
  channel.messages$.pipe(
    filter((word) => word === HERE),
    map(() => CALM * everyMs),
    startWith(everyMs),
    switchMap((wait) => asking$(channel, everyMs, wait, 0)),
  )

/** Emits after the last of `ASKS` pings; the first one is sent after `wait`. */
const asking$ = (channel: TabChannel, everyMs: number, wait: number, asks: number): Observable<unknown> => {
  const before = performance.now()
  return timer(wait).pipe(
    switchMap(() => {
      // If this tab was asleep, it may have missed an answer, so it starts counting again.
      const known = performance.now() - before > wait + everyMs ? 0 : asks
      if (known >= ASKS) return [true]
      channel.say(ASK)
      return asking$(channel, everyMs, everyMs, known + 1)
    }),
  )
}

/** Resolves when the first signal aborts, and removes its listeners from the others. */
const aborted = (...signals: AbortSignal[]) =>
  new Promise<void>((resolve) => {
    const end = () => {
      for (const signal of signals) signal.removeEventListener('abort', end)
      resolve()
    }
    for (const signal of signals) signal.addEventListener('abort', end)
    if (signals.some((signal) => signal.aborted)) end()
  })
