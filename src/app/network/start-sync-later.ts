/** Starts the sync after the first paint, because a slow phone needs over a second to load its code with ArkType. */
import { defer, firstValueFrom, map, ReplaySubject, retry, takeUntil, timer } from 'rxjs'
import { whenIdle } from '#sync/lib/slices.ts'
import type { Sync } from '#sync/runtime/start-sync.ts'
import type { SyncParts } from '#sync/runtime/start-calls.ts'

/** Delay before a failed load of the sync code is repeated. */
const RETRY_MS = 30_000

/** Returns a sync whose code loads after the first paint. A sync that is stopped earlier never starts. */
export function startSyncLater(firstPaint: Promise<void>, parts: SyncParts): Sync {
  const stop$ = new ReplaySubject<void>(1)
  const load = async () => {
    await firstPaint
    await whenIdle()
    return import('#sync/runtime/start-sync.ts')
  }
  const waitForRetry = (problem: unknown) => {
    parts.report(String(problem))
    return timer(RETRY_MS)
  }
  const started$ = defer(load).pipe(
    retry({ delay: waitForRetry }),
    takeUntil(stop$),
    map(({ startSync }) => startSync(parts)),
  )
  const started = firstValueFrom(started$, { defaultValue: null })
  return {
    async stop() {
      stop$.next()
      await (await started)?.stop()
    },
  }
}
