/**
 * Answers the screens' fetch requests for photos, a few at once (RULES PL8, PL9). A request that hangs occupies only
 * its own place. A request that failed is tried again after the others.
 */
import { debounceTime, defer, exhaustMap, retry, share, takeUntil, type Observable } from 'rxjs'
import { again } from '../lib/backoff.ts'
import type { InFlight } from '../lib/in-flight.ts'
import { GateClosed, type Gate } from '#sync/scheduler/scheduler.ts'
import type { Outcome } from '../transport/outcome.ts'

/** A request of a screen for a list of photos or for the bytes of one. */
export interface PhotoFetch {
  key: string
  /** @returns the failure; null once the request is answered */
  answer(): Promise<Outcome | null>
}

interface Parts {
  /** The requests that screens have open now, in the order of display. */
  due: () => Promise<readonly PhotoFetch[]>
  /** Emits when the open requests may have changed. */
  changed$: Observable<unknown>
  gate: Gate
  /** Time on the gate's clock, in milliseconds. */
  now: () => number
}

const FETCHES_AT_ONCE = 3
const SOON_MS = 20

interface Screens extends Omit<Parts, 'changed$'> {
  /** Emits when screens need something else. */
  requested$: Observable<unknown>
  stop$: Observable<unknown>
  random: () => number
  inFlight: InFlight
  report: (problem: string) => void
}

/** Answers requests until `stop$`. An error of a full disk is reported once and tried again until there is room (RULES ST4). */
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
 * Runs until no request is open.
 * @throws an error of the device's storage, once the calls in progress have ended
 */
export async function answerPhotoFetches({ due, changed$, gate, now }: Parts): Promise<void> {
  const underWay = new Map<string, Promise<void>>()
  const postponed = new Set<string>()
  const refusals: unknown[] = []
  let wake: (() => void) | undefined
  const listening = changed$.subscribe(() => wake?.())

  async function attempt({ key, answer }: PhotoFetch) {
    const begunAt = now()
    postponed.delete(key)
    const blocked = await answer()
    if (!blocked) return gate.succeeded()
    postponed.add(key)
    gate.failed(blocked.kind === 'throttled' ? blocked.retryAfterMs : 0, begunAt)
  }
  const begin = (request: PhotoFetch) => {
    const end = attempt(request)
      .catch((error: unknown) => void refusals.push(error))
      .finally(() => void underWay.delete(request.key))
    underWay.set(request.key, end)
  }
  try {
    for (;;) {
      // listens before it reads the open requests, so that no change is missed
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const next = firstOf(await due(), underWay, postponed)
      if (refusals.length > 0) throw refusals[0]
      if (!next && underWay.size === 0) return
      if (!next || underWay.size === FETCHES_AT_ONCE) await Promise.race([changed, ...underWay.values()])
      else {
        await gate.passed()
        begin(next)
      }
    }
  } finally {
    listening.unsubscribe()
    await Promise.allSettled(underWay.values())
  }
}

/** The next request to answer. Failed requests come after the others, the oldest failure first. */
function firstOf(
  requests: readonly PhotoFetch[],
  underWay: ReadonlyMap<string, unknown>,
  postponed: ReadonlySet<string>,
): PhotoFetch | undefined {
  const waiting = requests.filter(({ key }) => !underWay.has(key))
  const last = [...postponed].find((key) => waiting.some((each) => each.key === key))
  return waiting.find(({ key }) => !postponed.has(key)) ?? waiting.find(({ key }) => key === last)
}
