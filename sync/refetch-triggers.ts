import { filter, interval, merge, skip, switchMap, timer, type Observable } from 'rxjs'
import { REFETCH_AFTER_RECONNECT_MS, REFETCH_SPREAD_MS } from '#schemas/limits.ts'

const REFETCH_EVERY_MS = 5 * 60_000

/**
 * When the window is read anew (RULES PL5): 3.5 s after reconnecting and up to 5 s more, so that a fleet does not do it in
 * the same second; on becoming visible; every 5 minutes in sight.
 */
export function refetchTriggers(
  online$: Observable<boolean>,
  visible$: Observable<boolean>,
  random: () => number,
): Observable<unknown> {
  return merge(
    online$.pipe(
      skip(1),
      filter(Boolean),
      switchMap(() => timer(REFETCH_AFTER_RECONNECT_MS + random() * REFETCH_SPREAD_MS)),
    ),
    visible$.pipe(skip(1), filter(Boolean)),
    visible$.pipe(switchMap((visible) => (visible ? interval(REFETCH_EVERY_MS) : []))),
  )
}
