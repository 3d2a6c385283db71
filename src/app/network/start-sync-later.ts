/** The sync begins once the first screen is drawn: with ArkType it takes a slow phone over a second to load. */
import { defer, firstValueFrom, map, ReplaySubject, retry, takeUntil, timer } from 'rxjs'
import { whenIdle } from '#sync/lib/yield-to-screen.ts'
import type { Sync } from '#sync/runtime/start-sync.ts'
import type { SyncParts } from '#sync/runtime/sync-parts.ts'

/** Its code is on the device; where it is not, it is asked for again. */
const TRIED_AGAIN_MS = 30_000

/** Stopped before it began, it never begins. */
export function startSyncLater(drawn: Promise<void>, parts: SyncParts): Sync {
  const stop$ = new ReplaySubject<void>(1)
  const again = (problem: unknown) => {
    parts.report(String(problem))
    return timer(TRIED_AGAIN_MS)
  }
  const begun$ = defer(() => drawn.then(loadSync)).pipe(
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
