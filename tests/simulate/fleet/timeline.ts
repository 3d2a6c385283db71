/** Virtual time of one device: events in the order of their time, without promises, for there are millions. */
interface Event {
  at: number
  order: number
  run: () => void
}

export class Timeline {
  now: number
  private order = 0
  private readonly heap: Event[] = []

  constructor(start: number) {
    this.now = start
  }

  /** @param at epoch ms; what lies in the past is run next */
  at(at: number, run: () => void): void {
    const event = { at, order: (this.order += 1), run }
    let i = this.heap.length
    while (i > 0) {
      const parent = (i - 1) >> 1
      const above = this.heap[parent]
      if (!above || isEarlier(above, event)) break
      this.heap[i] = above
      i = parent
    }
    this.heap[i] = event
  }

  runUntil(end: number): void {
    for (let next = this.heap[0]; next && next.at <= end; next = this.heap[0]) {
      this.takeFirst()
      this.now = Math.max(this.now, next.at)
      next.run()
    }
    this.now = end
  }

  private takeFirst(): void {
    const last = this.heap.pop()
    if (!last || this.heap.length === 0) return
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      let below = this.heap[child]
      const right = this.heap[child + 1]
      if (below && right && isEarlier(right, below)) [child, below] = [child + 1, right]
      if (!below || isEarlier(last, below)) break
      this.heap[i] = below
      i = child
    }
    this.heap[i] = last
  }
}

const isEarlier = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order)
