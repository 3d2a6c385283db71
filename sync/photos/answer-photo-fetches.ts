/**
 * Answers the screens' requests for photos, a few at once (RULES PL8, PL9). A request without an answer delays no
 * other request. A failed request is tried again after the others.
 */
import { debounceTime, defer, exhaustMap, retry, share, takeUntil, tap, type Observable } from 'rxjs'
import { again } from '../lib/backoff.ts'
import type { InFlight } from '../lib/in-flight.ts'
import type { Gate } from '#sync/scheduler/scheduler.ts'
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
  /** Milliseconds of the gate's clock. */
  now: () => number
}

const FETCHES_AT_ONCE = 3
const SOON_MS = 20

export interface ScreenParts extends Parts {
  stop$: Observable<unknown>
  random: () => number
  inFlight: InFlight
  report: (problem: string) => void
}

/** Answers requests until `stop$` emits. A storage error is reported once, and all is tried again (RULES ST4). */
export function answerScreens({ stop$, random, inFlight, report, ...parts }: ScreenParts): void {
  const changed$ = parts.changed$.pipe(debounceTime(SOON_MS), takeUntil(stop$), share())
  const untilAnswered = () => {
    let isReported = false
    const failed = (problem: unknown) => {
      if (!isReported) report(`photos: ${String(problem)}`)
      isReported = true
    }
    return defer(() => inFlight.run(() => answerPhotoFetches({ ...parts, changed$ }))).pipe(
      tap({ error: failed }),
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
  const inProgress = new Map<string, Promise<unknown>>()
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
  /** The next request. Failed requests come last, the oldest failure first. */
  async function nextFetch() {
    const order = ({ key }: PhotoFetch) => [...postponed].indexOf(key)
    const waiting = (await due()).filter(({ key }) => !inProgress.has(key))
    return waiting.toSorted((a, b) => order(a) - order(b))[0]
  }
  try {
    for (;;) {
      // Listening begins before the read, so that a change during the read is not missed.
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const next = await nextFetch()
      if (errors.length > 0) throw errors[0]
      if (!next && inProgress.size === 0) return
      if (!next || inProgress.size === FETCHES_AT_ONCE) await Promise.race([changed, ...inProgress.values()])
      else {
        await gate.passed()
        const ended = attempt(next).catch((error: unknown) => errors.push(error))
        inProgress.set(
          next.key,
          ended.finally(() => inProgress.delete(next.key)),
        )
      }
    }
  } finally {
    listening.unsubscribe()
    await Promise.allSettled(inProgress.values())
  }
}
