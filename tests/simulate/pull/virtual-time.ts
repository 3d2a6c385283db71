/**
 * Virtual time for real code: what takes time is an event, and between two events all promises that can go on do. An event
 * can be cancelled, as timers are.
 */
import { EventQueue } from '../event-queue.ts'

interface Event {
  at: number
  run: () => void
  isOff: boolean
}

/** @returns what cancels it */
export type Cancel = () => void

export class VirtualTime {
  now: number
  private readonly events = new EventQueue<Event>()

  constructor(start: number) {
    this.now = start
  }

  after(ms: number, run: () => void): Cancel {
    const event = { at: this.now + Math.max(0, ms), run, isOff: false }
    this.events.add(event)
    return () => void (event.isOff = true)
  }

  sleep = (ms: number) => new Promise<void>((resolve) => void this.after(ms, resolve))

  async runUntil(end: number): Promise<void> {
    await settled()
    for (let next = this.events.first; next && next.at <= end; next = this.events.first) {
      this.events.takeFirst()
      if (next.isOff) continue
      this.now = Math.max(this.now, next.at)
      next.run()
      await settled()
    }
    this.now = Math.max(this.now, end)
  }

  /** Runs until the promise has its end, at most so long. @throws where it has none by then */
  async runFor<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
    const end = { isThere: false }
    const over = promise.finally(() => void (end.isThere = true))
    over.catch(() => undefined)
    const limit = this.now + ms
    await settled()
    while (!end.isThere) {
      const next = this.events.first
      if (!next || next.at > limit) throw new Error(`${what} does not end`)
      await this.runUntil(next.at)
    }
    return over
  }
}

/** Everything that only waits for promises has gone as far as it can. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))
