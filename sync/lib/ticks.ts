/** The monotonic clock for waits. */
import { timer, type Observable } from 'rxjs'

export interface Ticks {
  /** Milliseconds. */
  now(): number
  /** Emits once, after this many milliseconds. */
  after$(ms: number): Observable<unknown>
}

export const TICKS: Ticks = { now: () => performance.now(), after$: (ms) => timer(ms) }
