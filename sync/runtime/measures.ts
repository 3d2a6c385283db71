/** How long the sync takes, as User Timing measures that any browser's tools show; always on. */
import type { Observable } from 'rxjs'
import type { RoundStep } from '#sync/pull/requests/pull-requests.ts'

/** `sync:initial`: from the start until the window was read and is on the device; a tab that never leads has none. */
export function measureInitial(replication: { awaitInitialReplication(): Promise<unknown> }): void {
  const start = performance.now()
  replication.awaitInitialReplication().then(
    () => performance.measure('sync:initial', { start }),
    () => undefined,
  )
}

/** `sync:round`: one after another, and only where no page of it had to be tried again: an outage is no slowness. */
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
