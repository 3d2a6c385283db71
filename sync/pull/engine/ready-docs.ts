/** The documents and errors of reads that the next calls of RxDB get. */
import { Subject, switchMap, takeUntil, type Observable } from 'rxjs'
import type { Ticks } from '#sync/lib/backoff.ts'

/** Documents per call of RxDB. RxDB writes them at once and notifies all queries, so more would delay the screen. */
export const DOCS_PER_CALL = 100
/** How long the documents of background reads are collected, so that RxDB writes them at once. */
const GATHER_MS = 1_000
/** From this number on, collected documents are passed to RxDB at once. */
export const GATHERED_MAX = 25

export type ReadyDocs<D> = ReturnType<typeof createReadyDocs<D>>

/**
 * @param isBusy true while a read is running: only then do documents wait for more
 * @param recheck called when the time for collecting is over
 */
export function createReadyDocs<D>(
  ticks: Ticks,
  stop$: Observable<unknown>,
  isBusy: () => boolean,
  recheck: () => void,
) {
  const docs: D[] = []
  const failures: unknown[] = []
  let isGathering = false
  const gather$ = new Subject<void>()
  const gathered$ = gather$.pipe(switchMap(() => ticks.after$(GATHER_MS)))
  gathered$.pipe(takeUntil(stop$)).subscribe(() => {
    isGathering = false
    recheck()
  })
  const areReady = () => docs.length > 0 && !(isGathering && docs.length < GATHERED_MAX && isBusy())
  return {
    isAny: () => areReady() || failures.length > 0,
    /** @returns the documents for RxDB. @throws the first error, and forgets the others */
    take(): D[] {
      if (areReady()) {
        isGathering = false
        return docs.splice(0, DOCS_PER_CALL)
      }
      if (failures.length > 0) throw failures.splice(0)[0]
      return []
    },
    /** Documents that a screen waits for are passed on at once, together with those that were waiting. */
    add(more: readonly D[], priority: string): void {
      if (more.length === 0) return
      if (priority === 'screen' || priority === 'window') isGathering = false
      else if (docs.length === 0) {
        isGathering = true
        gather$.next()
      }
      docs.push(...more)
    },
    fail: (error: unknown) => void failures.push(error),
  }
}
