/**
 * Virtual time for real code: what takes time is an event, and between two events all promises that can go on do. An event
 * can be cancelled, as timers are.
 */
interface Event {
  at: number
  order: number
  run: () => void
  isOff: boolean
}

/** @returns what cancels it */
export type Cancel = () => void

export class VirtualTime {
  now: number
  private order = 0
  private heap: Event[] = []

  constructor(start: number) {
    this.now = start
  }

  after(ms: number, run: () => void): Cancel {
    const event = { at: this.now + Math.max(0, ms), order: (this.order += 1), run, isOff: false }
    this.heap.push(event)
    this.up(this.heap.length - 1)
    return () => void (event.isOff = true)
  }

  sleep = (ms: number) => new Promise<void>((resolve) => void this.after(ms, resolve))

  async runUntil(end: number): Promise<void> {
    await settled()
    for (let next = this.heap[0]; next && next.at <= end; next = this.heap[0]) {
      this.takeFirst()
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
      const next = this.heap[0]
      if (!next || next.at > limit) throw new Error(`${what} does not end`)
      await this.runUntil(next.at)
    }
    return over
  }

  private takeFirst(): void {
    const last = this.heap.pop()
    if (last && this.heap.length > 0) {
      this.heap[0] = last
      this.down()
    }
  }

  private up(from: number): void {
    for (let i = from; i > 0;) {
      const parent = (i - 1) >> 1
      if (!this.swapIfEarlier(i, parent)) return
      i = parent
    }
  }

  private down(): void {
    for (let i = 0; ;) {
      const left = 2 * i + 1
      const first = this.isEarlier(left + 1, left) ? left + 1 : left
      if (!this.swapIfEarlier(first, i)) return
      i = first
    }
  }

  private isEarlier(i: number, j: number): boolean {
    const [a, b] = [this.heap[i], this.heap[j]]
    return a !== undefined && b !== undefined && (a.at < b.at || (a.at === b.at && a.order < b.order))
  }

  private swapIfEarlier(i: number, j: number): boolean {
    const [a, b] = [this.heap[i], this.heap[j]]
    if (!a || !b || !this.isEarlier(i, j)) return false
    this.heap[i] = b
    this.heap[j] = a
    return true
  }
}

/** Everything that only waits for promises has gone as far as it can. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))
