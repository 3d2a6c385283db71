/**
 * Which tab talks to the CRM: the one that has the lead lock. The others wait in line, and while they are seen they ask
 * whether it is still there, every half minute as long as it answers; a frozen tab keeps its locks and does not answer
 * (decisions/tabs, decisions/speed).
 *
 *     in line ── granted ──────────────────────────────────→ leads ── closed, stopped ──→ (the next in line)
 *        │                                                     │
 *        └ visible, asks, and hears nothing ── takes it ─→ └ taken from it: stops, in line again
 *
 * Nothing that must be right depends on who leads: two that think they do still send one after the other (`lease.ts`).
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
/** Once the leader has answered, it is asked again only after this many intervals. */
const CALM = 6
const ASK = 'ask'
const HERE = 'here'

export interface Running {
  stop(): Promise<void>
}

interface TabParts {
  locks: TabLocks
  channel: TabChannel
  visible$: Observable<boolean>
  askEveryMs?: number | undefined
  /** This tab stood still, and another has its place. */
  leadershipLost?: (() => void) | undefined
}

/** Runs what the leader does, whenever this tab leads. */
export function inLine(
  { locks, channel, visible$, askEveryMs = ASK_EVERY_MS, leadershipLost }: TabParts,
  name: string,
  lead: () => Running,
): Running {
  const stopped = new AbortController()
  let leads = false
  const hearing = channel.heard$.subscribe((word) => {
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
  /** @returns whether the leader did not answer */
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
 * Whether any tab is in sight: this one, or one in line, which asks as long as it is. Else what the leader reads while people
 * look (RULES PL5, PL10) would be read for nobody whose tab is another one.
 */
export function anyInSight$({
  channel,
  visible$,
  askEveryMs = ASK_EVERY_MS,
}: Pick<TabParts, 'channel' | 'visible$' | 'askEveryMs'>): Observable<boolean> {
  // it asks half a minute apart, and timers are late by a little
  const untilSilent$ = timer((CALM + 2) * askEveryMs).pipe(
    map(() => false),
    startWith(true),
  )
  const other$ = channel.heard$.pipe(
    filter((word) => word === ASK),
    switchMap(() => untilSilent$),
    startWith(false),
  )
  return combineLatest([visible$, other$]).pipe(
    map(([own, other]) => own || other),
    distinctUntilChanged(),
  )
}

/** Emits when the leader has left `ASKS` questions in a row unanswered; only a visible tab asks. */
const silence$ = (channel: TabChannel, visible$: Observable<boolean>, everyMs: number) =>
  visible$.pipe(switchMap((visible) => (visible ? unanswered$(channel, everyMs) : EMPTY)))

const unanswered$ = (channel: TabChannel, everyMs: number) =>
  channel.heard$.pipe(
    filter((word) => word === HERE),
    map(() => CALM * everyMs),
    startWith(everyMs),
    switchMap((wait) => asking$(channel, everyMs, wait, 0)),
  )

/** Emits after the last of `ASKS` asks, the first of them after `wait`. */
const asking$ = (channel: TabChannel, everyMs: number, wait: number, asks: number): Observable<unknown> => {
  const before = performance.now()
  return timer(wait).pipe(
    switchMap(() => {
      // this tab slept and may have missed an answer: it counts from zero again
      const known = performance.now() - before > wait + everyMs ? 0 : asks
      if (known >= ASKS) return [true]
      channel.say(ASK)
      return asking$(channel, everyMs, everyMs, known + 1)
    }),
  )
}

/** Resolves with the first of them; one that goes on keeps no listener. */
const aborted = (...signals: AbortSignal[]) =>
  new Promise<void>((resolve) => {
    const end = () => {
      for (const signal of signals) signal.removeEventListener('abort', end)
      resolve()
    }
    for (const signal of signals) signal.addEventListener('abort', end)
    if (signals.some((signal) => signal.aborted)) end()
  })
