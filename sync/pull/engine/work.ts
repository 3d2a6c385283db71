/** The reads that a resource offers to the pull engine (`engine.ts`), and the services that the engine uses. */
import { Subject, switchMap, takeUntil, timer, type Observable } from 'rxjs'
import type { InFlight } from '#sync/changes/replications.ts'
import type { Ticks } from '#sync/lib/backoff.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import type { PullApi } from '#sync/scheduler/api.ts'
import { PLACES } from '#sync/scheduler/schedule.ts'
import type { PullGate, ReadOptions } from '#sync/scheduler/scheduler.ts'
import type { SyncDatabase, FetchAnswer, FetchRequestId } from '#sync/storage/database.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { isoOf } from '#schemas/instant.ts'
import { READS_AT_ONCE } from '#schemas/limits.ts'

/** What a read brings: documents for RxDB, and the answer to its fetch request; no answer if it is given later. */
export type Merged<D> = Partial<Pick<FetchAnswer, 'state' | 'total'>> & { docs: readonly D[] }

/** Merges what was read with the device's current state. */
export type Merge<D> = () => Promise<Merged<D>>

export const answerOnly =
  (state: FetchAnswer['state']): Merge<never> =>
  async () => ({ docs: [], state })

/** Maximum number of reads of a resource that run at once. A `local` read makes no call. */
export const LANES = { screen: Infinity, window: PLACES.window, background: PLACES.background, local: 20 }

export interface Work<D> {
  /** Identifies the read and its back-off. Only one read of a name runs at a time. */
  name: string
  /** A read for a `screen` may begin once while the gate is closed (PL8). Nobody waits for `background` and `local`. */
  priority: keyof typeof LANES
  /** True if the read only confirms local data, and so is subject to the rate limit (PL10). */
  isPaced?: boolean
  replaces?: string
  fetchRequest?: FetchRequestId | undefined
  /** @throws PullAgain if the CRM could not be read */
  read(options: Required<ReadOptions>): Promise<Merge<D>>
  /** Called after each failure, before this read counts as ended. */
  failed?(outcome: Outcome, tries: number): Promise<unknown>
}

/** `accepted`: how many calls the CRM has accepted. `wake`: makes RxDB call the handler, because of something to try. */
export interface EngineParts {
  gate: PullGate
  accepted: () => number
  random: () => number
  report: (problem: string) => void
  wake: () => void
  ticks?: Ticks
  inFlight: InFlight
  stop$: Observable<unknown>
  pacer: Pick<Pacer, 'grant'>
  answer: (answer: FetchAnswer) => Promise<void>
}

export interface PullServices extends EngineParts {
  db: SyncDatabase
  api: PullApi
  clock: PullClock
  pacer: Pick<Pacer, 'grant' | 'pauseStartedAt'>
}

export const PACE_EVERY_MS = 4_000
export const PACE_START_MS = 120_000
export const PACE_PAUSE_MS = 240_000

/** A token bucket. `tokens`: how many reads may begin now. `at`: the caller's time of the last refill or a pause's end, ms. */
export type Pace = { tokens: number; at: number }

/** The token bucket at the beginning of a pause. @param random 0 ≤ random < 1 */
export const startPace = (now: number, random: number, maxPauseMs = PACE_START_MS): Pace => ({
  tokens: 0,
  at: now + Math.round(random * maxPauseMs),
})

/**
 * Grants a read. If no token is left, the next reads are granted together later, so that the phone's radio wakes once.
 * @returns `nextAt`: when to ask again, ms on the caller's clock; null if the read was granted
 */
export function takeToken({ tokens, at }: Pace, now: number): { pace: Pace; nextAt: number | null } {
  const refilled = Math.max(0, Math.floor((now - at) / PACE_EVERY_MS))
  const isFull = tokens + refilled >= READS_AT_ONCE
  const available = Math.min(READS_AT_ONCE, tokens + refilled)
  const refilledAt = isFull && now > at ? now : at + refilled * PACE_EVERY_MS
  if (available > 0) return { pace: { tokens: available - 1, at: refilledAt }, nextAt: null }
  return { pace: { tokens: 0, at: refilledAt }, nextAt: refilledAt + READS_AT_ONCE * PACE_EVERY_MS }
}

export type Pacer = ReturnType<typeof createPacer>

interface PacerParts {
  visible$: Observable<boolean>
  stop$: Observable<unknown>
  random: () => number
  now: () => number
}

/**
 * Limits the rate of reads that only confirm local data: one in four seconds, at most four at once, and only while the
 * app is visible (RULES PL10). After a start or an outage they pause for a random time, so that ten thousand devices
 * that wake in one minute do not all read in one second.
 */
export function createPacer({ visible$, stop$, random, now }: PacerParts) {
  let pace = startPace(performance.now(), random())
  let pausedAt = ''
  let [isUnlimited, visible] = [false, true]
  let waitsUntil = 0
  const wait$ = new Subject<number>()
  const waitUntil = (at: number) => {
    waitsUntil = at
    // One more millisecond, because a timer may fire slightly early.
    wait$.next(Math.max(0, Math.ceil(at - performance.now()) + 1))
  }
  visible$.pipe(takeUntil(stop$)).subscribe((is) => (visible = is))
  return {
    /** True if a background read may begin now. If not, `wake$` emits when one may. */
    grant(): boolean {
      if (isUnlimited) return true
      const time = performance.now()
      // When the app becomes visible, a round starts and calls this again.
      if (!visible || time < waitsUntil) return false
      const { pace: rest, nextAt } = takeToken(pace, time)
      pace = rest
      if (nextAt !== null) waitUntil(nextAt)
      return nextAt === null
    },
    /** @param isRequested true lifts the rate limit, because the user has requested a refresh */
    hurry: (isRequested: boolean) => void (isUnlimited = isRequested),
    /** Starts a random pause, because the signal or the CRM returned for many devices at once. */
    pause() {
      pace = startPace(performance.now(), random(), PACE_PAUSE_MS)
      pausedAt = isoOf(now())
      waitUntil(pace.at)
    },
    /** When the current pause after an outage began, ISO 8601; '' if there is no such pause. */
    pauseStartedAt: () => (performance.now() < pace.at ? pausedAt : ''),
    wake$: wait$.pipe(
      switchMap((ms) => timer(ms)),
      takeUntil(stop$),
    ),
  }
}
