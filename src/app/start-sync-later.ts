/**
 * The sync begins once the first screen stands. Its definitions are made of ArkType, which takes a slow phone over a second
 * to start (decision 0028): they are loaded one after the other, and the screen has its turn in between.
 */
import { defer, firstValueFrom, map, ReplaySubject, retry, takeUntil, timer } from 'rxjs'
import { parts as arktypeParts } from 'virtual:arktype-parts'
import { nextTask } from '#lib/next-task.ts'
import { whenIdle } from '#sync/lib/yield-to-screen.ts'
import type { Sync } from '#sync/runtime/start-sync.ts'
import type { SyncParts } from '#sync/runtime/sync-parts.ts'

const DEFINITIONS = [
  // as one task it would hold up the screen for half a second
  ...arktypeParts,
  () => import('arktype'),
  () => import('#schemas/change.ts'),
  () => import('#schemas/wire.ts'),
  () => import('#schemas/session.ts'),
  () => import('#schemas/quick-report.ts'),
  () => import('#schemas/request.ts'),
  () => import('#schemas/emergency-report.ts'),
  () => import('#schemas/safety-measure.ts'),
  () => import('#schemas/customer-location-change-request.ts'),
  () => import('#schemas/location-contact-change-request.ts'),
  () => import('#schemas/note-location-area.ts'),
  () => import('#schemas/past-report.ts'),
]

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
  // on a first visit nothing stands there that could be touched, and an idle moment is up to 200 ms away each time
  const turn = navigator.serviceWorker?.controller ? whenIdle : nextTask
  for (const load of DEFINITIONS) {
    await turn()
    await load()
  }
  await turn()
  return import('#sync/runtime/start-sync.ts')
}
