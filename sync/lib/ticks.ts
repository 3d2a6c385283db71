/** The monotonic clock for waits, which all tabs of a browser share. */
import { timer, type Observable } from 'rxjs'

export interface Ticks {
  /** Milliseconds. */
  now(): number
  /** Emits once, after this many milliseconds. */
  after$(ms: number): Observable<unknown>
}

export const sharedNow = (): number => performance.timeOrigin + performance.now()

export const TICKS: Ticks = { now: sharedNow, after$: (ms) => timer(ms) }
