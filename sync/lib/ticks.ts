/** The clock for waits. All tabs of a browser share it, and it never goes back while a page is open. */
import { timer, type Observable } from 'rxjs'

export interface Ticks {
  now(): number
  /** Emits once, after this many milliseconds. */
  after$(ms: number): Observable<unknown>
}

export const sharedNow = (): number => performance.timeOrigin + performance.now()

export const TICKS: Ticks = { now: sharedNow, after$: (ms) => timer(ms) }
