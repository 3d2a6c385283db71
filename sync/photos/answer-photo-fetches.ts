/**
 * Answers the screens' requests for photos, a few at once (RULES PL8, PL9). A request without an answer delays no
 * other request. A failed request is tried again after the others.
 */
import { debounceTime, defer, exhaustMap, retry, share, takeUntil, type Observable } from 'rxjs'
import { again } from '../lib/backoff.ts'
import type { InFlight } from '../changes/replications.ts'
import { GateClosed, type Gate } from '#sync/scheduler/scheduler.ts'
import type { Outcome } from '../transport/outcome.ts'

/** A screen's request for a list of photos or for the bytes of one photo. */
export interface PhotoFetch {
  key: string
  /** @returns the failure; null if the request has been answered */
  answer(): Promise<Outcome | null>
}

interface Parts {
  /** The open requests of the screens, in the order of display. */
  due: () => Promise<readonly PhotoFetch[]>
  /** Emits when the open requests may have changed. */
  changed$: Observable<unknown>
  gate: Gate
  /** The current time by the clock of the gate, in milliseconds. */
  now: () => number
}

const FETCHES_AT_ONCE = 3
const SOON_MS = 20

interface Screens extends Omit<Parts, 'changed$'> {
  /** Emits when the open requests may have changed. */
  requested$: Observable<unknown>
  stop$: Observable<unknown>
  random: () => number
  inFlight: InFlight
  report: (problem: string) => void
}

/**
 * Answers requests until `stop$` emits. A storage error is reported once, and the request is tried again (RULES ST4).
 */
export function answerScreens({ requested$, stop$, random, inFlight, report, ...parts }: Screens): void {
  let stopped = false
  stop$.subscribe(() => {
    stopped = true
  })
  const changed$ = requested$.pipe(debounceTime(SOON_MS), takeUntil(stop$), share())
  const untilAnswered = () => {
    let isReported = false
    const failed = (error: unknown) => {
      if (error instanceof GateClosed) return
      if (!stopped && !isReported) report(`photos: ${String(error)}`)
      isReported = true
      throw error
    }
    return defer(() => inFlight.run(() => answerPhotoFetches({ ...parts, changed$ })).catch(failed)).pipe(
      retry(again(random)),
    )
  }
  changed$.pipe(exhaustMap(untilAnswered), takeUntil(stop$)).subscribe()
}

/**
 * Answers requests until none is open.
 * @throws an error of the device's storage, after the current calls have ended
 */
export async function answerPhotoFetches({ due, changed$, gate, now }: Parts): Promise<void> {
  const inProgress = new Map<string, Promise<void>>()
  /** Keys of requests that failed, the oldest failure first. */
  const postponed = new Set<string>()
  const errors: unknown[] = []
  let wake: (() => void) | undefined
  const listening = changed$.subscribe(() => wake?.())

  async function attempt({ key, answer }: PhotoFetch) {
    const begunAt = now()
    postponed.delete(key)
    const failure = await answer()
    if (!failure) return gate.succeeded()
    postponed.add(key)
    gate.failed(failure.kind === 'throttled' ? failure.retryAfterMs : 0, begunAt)
  }
  const begin = (request: PhotoFetch) => {
    const ended = attempt(request)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => void inProgress.delete(request.key))
    inProgress.set(request.key, ended)
  }
  try {
    for (;;) {
      // Listening begins before the read, so that a change during the read is not missed.
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const next = nextFetch(await due(), inProgress, postponed)
      if (errors.length > 0) throw errors[0]
      if (!next && inProgress.size === 0) return
      if (!next || inProgress.size === FETCHES_AT_ONCE) await Promise.race([changed, ...inProgress.values()])
      else {
        await gate.passed()
        begin(next)
      }
    }
  } finally {
    listening.unsubscribe()
    await Promise.allSettled(inProgress.values())
  }
}

/** Returns the next request. Failed requests come last, the oldest failure first. */
function nextFetch(
  requests: readonly PhotoFetch[],
  inProgress: ReadonlyMap<string, unknown>,
  postponed: ReadonlySet<string>,
): PhotoFetch | undefined {
  const waiting = requests.filter(({ key }) => !inProgress.has(key))
  const failures = [...postponed]
  const order = ({ key }: PhotoFetch) => failures.indexOf(key)
  return waiting.toSorted((a, b) => order(a) - order(b))[0]
}
