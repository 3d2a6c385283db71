/**
 * The gate before every call: open while the CRM is thought reachable, the user's session is valid and no back-off is
 * running. Push and pull wait here and nowhere else (RULES OC4, OC5); an `online` change or 今すぐ送信 ends a back-off.
 */
import {
  combineLatest,
  filter,
  firstValueFrom,
  map,
  merge,
  race,
  skip,
  takeUntil,
  timer,
  type Observable,
} from 'rxjs'
import { backoffDelay } from './backoff.ts'

export class GateClosed extends Error {}

export interface Gate {
  /** @throws GateClosed when sync stops while waiting */
  passed(): Promise<void>
  /** A call found no way: the next `passed` waits, longer each time. */
  failed(retryAfterMs?: number): void
  succeeded(): void
}

interface Parts {
  online$: Observable<boolean>
  sessionValid$: Observable<boolean>
  nudge$: Observable<unknown>
  stop$: Observable<unknown>
  random: () => number
}

export function createGate({ online$, sessionValid$, nudge$, stop$, random }: Parts): Gate {
  let attempt = 0
  let notBefore = 0
  const open$ = combineLatest([online$, sessionValid$]).pipe(
    map(([online, valid]) => online && valid),
    filter(Boolean),
  )
  const hurry$ = merge(nudge$, online$.pipe(skip(1), filter(Boolean)))
  const reset = () => {
    attempt = 0
    notBefore = 0
  }
  hurry$.pipe(takeUntil(stop$)).subscribe(reset)

  const untilStopped = <T>(wait$: Observable<T>) =>
    firstValueFrom(wait$.pipe(takeUntil(stop$))).catch(() => {
      throw new GateClosed('sync stopped')
    })

  return {
    async passed() {
      await untilStopped(open$)
      const wait = notBefore - performance.now()
      if (wait > 0) await untilStopped(race(timer(wait), hurry$))
      await untilStopped(open$)
    },
    failed(retryAfterMs = 0) {
      notBefore = performance.now() + backoffDelay(attempt, random(), retryAfterMs)
      attempt += 1
    },
    succeeded: reset,
  }
}
