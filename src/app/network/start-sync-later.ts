/** Starts the sync after the first paint: with ArkType it takes a slow phone over a second to load. */
import { defer, firstValueFrom, map, ReplaySubject, retry, takeUntil, timer } from 'rxjs'
import { whenIdle } from '#sync/lib/slices.ts'
import type { Sync } from '#sync/runtime/start-sync.ts'
import type { SyncParts } from '#sync/runtime/sync-parts.ts'

/** Delay before a failed load of the code is tried again. */
const TRIED_AGAIN_MS = 30_000

/** A sync that is stopped before its code is loaded never starts. */
export function startSyncLater(firstPaint: Promise<void>, parts: SyncParts): Sync {
  const stop$ = new ReplaySubject<void>(1)
  const again = (problem: unknown) => {
    parts.report(String(problem))
    return timer(TRIED_AGAIN_MS)
  }
  const begun$ = defer(() => firstPaint.then(loadSync)).pipe(
    retry({ delay: again }),
    takeUntil(stop$),
    map(({ startSync }) => startSync(parts)),
  )
  const begun = firstValueFrom(begun$, { defaultValue: null })
  return {
    async stop() {
      stop$.next()
      await (await begun)?.stop()
    },
  }
}

async function loadSync() {
  await whenIdle()
  return import('#sync/runtime/start-sync.ts')
}
