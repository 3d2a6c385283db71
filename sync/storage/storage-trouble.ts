/**
 * When the device's own storage takes nothing more (RULES ST4). What was read cannot be written, and RxDB would read it
 * again at once, for ever. So the pulls wait, longer each time, it is told once, and when a write goes through again all is
 * read anew.
 *
 *     a write fails ─→ told; wait (2 s, doubling to 5 min) ─→ tried ─→ read anew ─→ written: over
 *                                                              └──────────┴─→ fails: wait longer
 *
 * Tried is the device alone, with one write as large as a page: to read anew what finds no room costs the CRM a hundred calls.
 * A device that is nearly full takes what is small: what goes through elsewhere says nothing of what failed, and would make
 * each wait the first one. So it is over when one writes that could not, or when nothing has failed for a good while.
 */
import { firstValueFrom, merge, Subject, switchMap, takeUntil, type Observable } from 'rxjs'
import { TICKS, type Ticks } from '../lib/ticks.ts'
import { GateClosed } from '#sync/scheduler/gate.ts'
import { PullAgain } from '#sync/scheduler/read-backoff.ts'

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 5 * 60_000
/** What failed may have nothing to write any more: so long after the wait without a failure, any write ends it. */
const QUIET_MS = 60_000
/** Fails like a replication. */
const ROOM = 'room'

/** As a value: since the n-th failure in a row nothing is read before `until`. */
export interface Trouble {
  failures: number
  /** Milliseconds of a clock that is never set. */
  until: number
  /** The replications whose writes failed, in that moment and before it. */
  failed: readonly string[]
}
export const NO_TROUBLE: Trouble = { failures: 0, until: 0, failed: [] }

/** Failures of one moment count once. @param source the replication whose write failed */
export function afterFailure({ failures, until, failed }: Trouble, source: string, now: number): Trouble {
  const all = [...new Set([...failed, source])]
  if (failures > 0 && now < until) return { failures, until, failed: all }
  const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)
  return { failures: failures + 1, until: now + wait, failed: all }
}

/** What was still under way when it failed says nothing, nor does what others write. */
export function afterWrite(trouble: Trouble, source: string, now: number): Trouble {
  const isQuiet = now >= trouble.until + QUIET_MS
  return now >= trouble.until && (isQuiet || trouble.failed.includes(source)) ? NO_TROUBLE : trouble
}

/** As one replication sees it. */
export interface StorageTrouble {
  /** A pull's turn: after the wait. What it throws, but for a call that found no way, is the device's own trouble. */
  guard<T>(pull: () => Promise<T>): Promise<T>
  failed(error: unknown): void
  /** Something of it was written. */
  wrote(): void
}

export interface StorageTroubles {
  /** @param source the replication */
  of(source: string): StorageTrouble
}

interface Parts {
  stop$: Observable<unknown>
  report: (problem: string) => void
  /** The device is full; or it is no longer. */
  full: (isFull: boolean) => void
  /** Whether the device takes a page: fails as its storage does. */
  tryRoom: () => Promise<void>
  /** What could not be written is to be read again. */
  again: () => void
  ticks?: Ticks
}

export function createStorageTrouble(parts: Parts): StorageTroubles {
  const { stop$, report, full, tryRoom, again, ticks = TICKS } = parts
  let trouble = NO_TROUBLE
  let stopped = false
  let isTrying = false
  let isTold = false
  /** When the last one was over; another one soon after is no news: of one replication, too, what is small goes through. */
  let overAt = -Infinity
  const waits$ = new Subject<number>()
  stop$.subscribe(() => (stopped = true))
  waits$
    .pipe(
      switchMap((ms) => ticks.after$(ms)),
      takeUntil(stop$),
    )
    .subscribe(() => void tried())

  async function tried() {
    isTrying = true
    // a timer may run a little early
    trouble = { ...trouble, until: Math.min(trouble.until, ticks.now()) }
    const failure = await failureOf(tryRoom())
    isTrying = false
    if (failure && !stopped) failed(ROOM, failure.error)
    else if (!stopped) again()
  }
  function failed(source: string, error: unknown) {
    const [before, now] = [trouble, ticks.now()]
    trouble = afterFailure(before, source, now)
    if (trouble.failures === before.failures) return
    if (before.failures === 0 && now - overAt >= QUIET_MS) report(`storage: ${String(error).slice(0, 300)}`)
    if (isFull(error) && !isTold) full((isTold = true))
    waits$.next(trouble.until - now)
  }
  const left = () => (stopped ? 0 : trouble.until - ticks.now())
  const resting = { left, wait: (ms: number) => merge(ticks.after$(ms), stop$) }

  return {
    of: (source) => ({
      async guard(pull) {
        await rested(resting)
        try {
          return await pull()
        } catch (error) {
          const isOfCalls = error instanceof PullAgain || error instanceof GateClosed
          if (!isOfCalls && !stopped) failed(source, error)
          throw error
        }
      },
      failed: (error) => failed(source, error),
      wrote() {
        // what is small may go through while a page finds no room
        if (trouble.failures === 0 || isTrying) return
        trouble = afterWrite(trouble, source, ticks.now())
        if (trouble.failures === 0) overAt = ticks.now()
        if (trouble.failures === 0 && isTold) full((isTold = false))
      },
    }),
  }
}

interface Resting {
  left(): number
  wait(ms: number): Observable<unknown>
}

async function rested({ left, wait }: Resting): Promise<void> {
  for (let ms = left(); ms > 0; ms = left()) await firstValueFrom(wait(ms), { defaultValue: undefined })
}

const failureOf = (work: Promise<void>) =>
  work.then(
    () => null,
    (error: unknown) => ({ error }),
  )

const FULL = 'QuotaExceededError'

/** Dexie wraps what IndexedDB says, and RxDB that of a replication that could not start. */
export function isFull(error: unknown): boolean {
  const of = (from: unknown, name: string): unknown => Reflect.get(Object(from), name)
  const wrapped = of(of(error, 'parameters'), 'errors')
  const all = [error, of(error, 'inner'), ...(Array.isArray(wrapped) ? wrapped : [])]
  return all.some((one) => of(one, 'name') === FULL)
}

/** What RxDB says of a write of pulled documents; what a handler threw it wraps, and says in which direction. */
export function isWriteError(error: unknown): boolean {
  const parameters: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'parameters') : null
  return !(typeof parameters === 'object' && parameters !== null && 'direction' in parameters)
}
