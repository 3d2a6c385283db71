/** Durations of the sync as User Timing measures, visible in any browser's tools; always on. */
import type { Observable } from 'rxjs'
import type { RoundStep } from '#sync/pull/requests/pull-requests.ts'

/** `sync:initial`: from the start until the window is on the device. A tab that never leads has none. */
export function measureInitial(replication: { awaitInitialReplication(): Promise<unknown> }): void {
  const start = performance.now()
  replication.awaitInitialReplication().then(
    () => performance.measure('sync:initial', { start }),
    () => undefined,
  )
}

/** `sync:round`: duration of the last round without retried pages; an outage does not count as slowness. */
export function measureRounds(round$: Observable<RoundStep>): void {
  let start: number | null = null
  round$.subscribe((step) => {
    if (step === 'read' && start !== null) {
      performance.clearMeasures('sync:round')
      performance.measure('sync:round', { start })
    }
    start = step === 'begun' ? performance.now() : null
  })
}
