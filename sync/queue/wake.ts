/** Has the queue gone through again after a while, for the sake of one record: it is written as it is, so that RxDB pushes. */
import { takeUntil, type Observable } from 'rxjs'
import { RETRY_MAX_MS } from '#schemas/limits.ts'
import type { InFlight } from '../lib/in-flight.ts'
import type { QueueStore } from './queue-store.ts'
import type { Ticks } from '../lib/ticks.ts'
import { touch } from './decisions.ts'

interface Parts {
  store: QueueStore
  ticks: Ticks
  inFlight: InFlight
  stop$: Observable<unknown>
  report: (problem: string) => void
}

/** A record that is to be woken already is woken then. */
export function createWake({ store, ticks, inFlight, stop$, report }: Parts) {
  const asleep = new Set<string>()
  const wake = ({ resource, key }: { resource: string; key: string }, ms: number): void => {
    const id = `${resource} ${key}`
    if (asleep.has(id)) return
    asleep.add(id)
    const failed = (error: unknown) => {
      report(String(error))
      // on a full disk nothing else would ever wake it
      wake({ resource, key }, Math.max(ms, RETRY_MAX_MS))
    }
    ticks
      .after$(ms)
      .pipe(takeUntil(stop$))
      .subscribe(() => {
        asleep.delete(id)
        inFlight.run(() => touch(store, resource, key)).catch(failed)
      })
  }
  return wake
}
