import { filter, interval, map, merge, skip, switchMap, timer, type Observable } from 'rxjs'
import { REFETCH_AFTER_RECONNECT_MS, REFETCH_SPREAD_MS } from '#schemas/limits.ts'
import { ROUND_EVERY_MS, type Cause } from '#sync/pull/requests/rounds.ts'

/**
 * When a round begins (RULES PL5): 3.5 s after the signal or the CRM returned plus up to 5 s, so that a fleet
 * does not start in the same second; when the app becomes visible; every 5 minutes while visible.
 */
export function refetchTriggers(
  back$: Observable<unknown>,
  visible$: Observable<boolean>,
  random: () => number,
): Observable<Cause> {
  const afterBack$ = back$.pipe(
    switchMap(() => timer(REFETCH_AFTER_RECONNECT_MS + random() * REFETCH_SPREAD_MS)),
  )
  const seen$ = visible$.pipe(skip(1), filter(Boolean))
  const inSight$ = visible$.pipe(switchMap((visible) => (visible ? interval(ROUND_EVERY_MS) : [])))
  return merge(
    afterBack$.pipe(map((): Cause => 'back')),
    merge(seen$, inSight$).pipe(map((): Cause => 'usual')),
  )
}
