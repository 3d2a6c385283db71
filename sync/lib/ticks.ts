/** The clock that waits go by: nobody sets it, and it goes on while the page lives. */
import { timer, type Observable } from 'rxjs'

export interface Ticks {
  /** Milliseconds. */
  now(): number
  /** Tells once, so many milliseconds from now. */
  after$(ms: number): Observable<unknown>
}

export const TICKS: Ticks = { now: () => performance.now(), after$: (ms) => timer(ms) }
