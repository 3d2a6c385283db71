/**
 * When the device's own storage takes nothing more (RULES ST4). What was read cannot be written, and RxDB would read it
 * again at once, for ever. So the pulls wait, longer each time, it is told once, and when a write goes through again all is
 * read anew.
 *
 *     a write fails ─→ told; wait (2 s, doubling to 5 min) ─→ read anew ─→ written: over │ fails: wait longer
 */
import { Subject, switchMap, takeUntil, timer, type Observable } from 'rxjs'
import { GateClosed } from '../transport/gate.ts'
import { PullAgain } from '../pull/read-backoff.ts'

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 5 * 60_000

/** As a value: since the n-th failure in a row nothing is read before `until`. */
export interface Trouble {
  failures: number
  /** Milliseconds of a clock that is never set. */
  until: number
}
export const NO_TROUBLE: Trouble = { failures: 0, until: 0 }

/** Failures of one moment count once. */
export function afterFailure({ failures, until }: Trouble, now: number): Trouble {
  if (failures > 0 && now < until) return { failures, until }
  return { failures: failures + 1, until: now + Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS) }
}

/** What was still under way when it failed says nothing. */
export const afterWrite = (trouble: Trouble, now: number): Trouble =>
  now < trouble.until ? trouble : NO_TROUBLE

export interface StorageTrouble {
  /** A pull's turn: after the wait. What it throws, but for a call that found no way, is the device's own trouble. */
  guard<T>(pull: () => Promise<T>): Promise<T>
  failed(error: unknown): void
  /** Something was written. */
  wrote(): void
}

interface Parts {
  stop$: Observable<unknown>
  report: (problem: string) => void
  /** The device is full; or it is no longer. */
  full: (isFull: boolean) => void
  /** What could not be written is to be read again. */
  again: () => void
}

export function createStorageTrouble({ stop$, report, full, again }: Parts): StorageTrouble {
  let trouble = NO_TROUBLE
  let stopped = false
  let isTold = false
  const waits$ = new Subject<number>()
  stop$.subscribe(() => (stopped = true))
  waits$
    .pipe(
      switchMap((ms) => timer(ms)),
      takeUntil(stop$),
    )
    .subscribe(again)

  function failed(error: unknown) {
    const now = performance.now()
    const next = afterFailure(trouble, now)
    if (next === trouble || next.failures === trouble.failures) return
    if (trouble.failures === 0) report(`storage: ${String(error).slice(0, 300)}`)
    trouble = next
    if (isFull(error) && !isTold) full((isTold = true))
    waits$.next(next.until - now)
  }
  const rested = async () => {
    for (let ms = left(); ms > 0 && !stopped; ms = left())
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timeout)
          stopping.unsubscribe()
          resolve()
        }
        const timeout = setTimeout(done, ms)
        const stopping = stop$.subscribe(() => done())
      })
  }
  const left = () => trouble.until - performance.now()

  return {
    async guard(pull) {
      await rested()
      try {
        return await pull()
      } catch (error) {
        if (!(error instanceof PullAgain || error instanceof GateClosed) && !stopped) failed(error)
        throw error
      }
    },
    failed,
    wrote() {
      if (trouble.failures === 0) return
      trouble = afterWrite(trouble, performance.now())
      if (trouble.failures === 0 && isTold) full((isTold = false))
    },
  }
}

const FULL = 'QuotaExceededError'

/** Dexie wraps what IndexedDB says. */
export function isFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  return (
    Reflect.get(error, 'name') === FULL || Reflect.get(Object(Reflect.get(error, 'inner')), 'name') === FULL
  )
}

/** What RxDB says of a write of pulled documents; what a handler threw it wraps, and says in which direction. */
export function isWriteError(error: unknown): boolean {
  const parameters: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'parameters') : null
  return !(typeof parameters === 'object' && parameters !== null && 'direction' in parameters)
}
