/** The clock for waits. It is the same in all tabs of a browser, and monotonic within a page. */
import { timer, type Observable } from 'rxjs'

export interface Ticks {
  /** The current time in milliseconds. */
  now(): number
  /** Emits once, after this many milliseconds. */
  after$(ms: number): Observable<unknown>
}

export const sharedNow = (): number => performance.timeOrigin + performance.now()

export const TICKS: Ticks = { now: sharedNow, after$: (ms) => timer(ms) }
