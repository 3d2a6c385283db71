/**
 * Handles a full device (RULES ST4), on which RxDB would read the same again forever. The pulls wait, longer each time:
 *
 *     a write fails ─→ banner; wait (2 s, doubling to 5 min) ─→ test write ─→ read again ─→ written: over
 *                                └──────────────────────────────────┴─→ fails: wait longer
 *
 * The test write has a page's size, because a nearly full device accepts small writes. The trouble is over when a
 * replication that had failed writes again, or when nothing has failed for a minute.
 */
import { firstValueFrom, merge, Subject, switchMap, takeUntil, type Observable } from 'rxjs'
import { TICKS, type Ticks } from '../lib/backoff.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'
import { PullAgain } from '#sync/scheduler/read-backoff.ts'

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 5 * 60_000
/** After this time without a failure, any write ends the trouble: the replication that failed may have nothing to write. */
const QUIET_MS = 60_000
const TEST_WRITE = 'room'

export interface Trouble {
  /** Failed writes in a row. Failures during a wait count once. 0: there is no trouble. */
  failures: number
  /** Nothing is read before this time, ms of a monotonic clock. */
  until: number
  /** Replications whose writes have failed during the trouble. */
  failed: readonly string[]
}
export const NO_TROUBLE: Trouble = { failures: 0, until: 0, failed: [] }

/** @param source the replication whose write failed */
export function afterFailure({ failures, until, failed }: Trouble, source: string, now: number): Trouble {
  const all = [...new Set([...failed, source])]
  if (failures > 0 && now < until) return { failures, until, failed: all }
  const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)
  return { failures: failures + 1, until: now + wait, failed: all }
}

/** The trouble after a write. Writes that began before the failure do not count, nor do those of other replications. */
export function afterWrite(trouble: Trouble, source: string, now: number): Trouble {
  const isQuiet = now >= trouble.until + QUIET_MS
  return now >= trouble.until && (isQuiet || trouble.failed.includes(source)) ? NO_TROUBLE : trouble
}

export type StorageTroubles = ReturnType<typeof createStorageTrouble>
export type StorageTrouble = ReturnType<StorageTroubles['of']>

/** `tryRoom`: the test write. `again`: called when it has succeeded, to read again what could not be written. */
interface Parts {
  stop$: Observable<unknown>
  report: (problem: string) => void
  full: (isFull: boolean) => void
  tryRoom: () => Promise<void>
  again: () => void
  ticks?: Ticks
}

export function createStorageTrouble(parts: Parts) {
  const { stop$, report, full, tryRoom, again, ticks = TICKS } = parts
  let trouble = NO_TROUBLE
  let [stopped, isTrying] = [false, false]
  let isReported = false
  /** When the last trouble ended. One that soon follows is not logged: the device is still full. */
  let endedAt = -Infinity
  const waits$ = new Subject<number>()
  stop$.subscribe(() => (stopped = true))
  const isOver$ = waits$.pipe(switchMap((ms) => ticks.after$(ms)))
  isOver$.pipe(takeUntil(stop$)).subscribe(() => void runTestWrite())

  async function runTestWrite() {
    isTrying = true
    // A timer may fire slightly early.
    trouble = { ...trouble, until: Math.min(trouble.until, ticks.now()) }
    const [test] = await Promise.allSettled([tryRoom()])
    isTrying = false
    if (stopped) return
    if (test.status === 'rejected') failed(TEST_WRITE, test.reason)
    else again()
  }
  function failed(source: string, error: unknown) {
    const [before, now] = [trouble, ticks.now()]
    trouble = afterFailure(before, source, now)
    if (trouble.failures === before.failures) return
    if (before.failures === 0 && now - endedAt >= QUIET_MS) report(`storage: ${String(error).slice(0, 300)}`)
    if (isFull(error) && !isReported) full((isReported = true))
    waits$.next(trouble.until - now)
  }
  const remainingMs = () => (stopped ? 0 : trouble.until - ticks.now())

  return {
    of: (source: string) => ({
      /** Runs a pull after the wait. An error counts as trouble of the device, except a failed call to the CRM. */
      async guard<T>(pull: () => Promise<T>): Promise<T> {
        for (let ms = remainingMs(); ms > 0; ms = remainingMs())
          await firstValueFrom(merge(ticks.after$(ms), stop$), { defaultValue: undefined })
        try {
          return await pull()
        } catch (error) {
          const isCallError = error instanceof PullAgain || error instanceof GateClosed
          if (!isCallError && !stopped) failed(source, error)
          throw error
        }
      },
      failed: (error: unknown) => failed(source, error),
      wrote() {
        // During the test write, only the test counts: small writes may succeed although a page does not fit.
        if (trouble.failures === 0 || isTrying) return
        trouble = afterWrite(trouble, source, ticks.now())
        if (trouble.failures === 0) endedAt = ticks.now()
        if (trouble.failures === 0 && isReported) full((isReported = false))
      },
    }),
  }
}

/** True if the storage is full. Dexie wraps IndexedDB's errors, RxDB those of a replication that could not start. */
export function isFull(error: unknown): boolean {
  const of = (from: unknown, name: string): unknown => Reflect.get(Object(from), name)
  const wrapped = of(of(error, 'parameters'), 'errors')
  const all = [error, of(error, 'inner'), ...(Array.isArray(wrapped) ? wrapped : [])]
  return all.some((one) => of(one, 'name') === 'QuotaExceededError')
}

/** True if RxDB failed to write pulled documents. Only the error of a failed handler has a `direction`. */
export const isWriteError = (error: unknown): boolean =>
  !('direction' in (Object(Reflect.get(Object(error), 'parameters')) as object))
