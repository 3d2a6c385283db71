/** Events of virtual time, the earliest first, and those of one moment in the order in which they were put in. */
interface Timed {
  at: number
}

export class EventQueue<E extends Timed> {
  private order = 0
  private readonly heap: { event: E; order: number }[] = []

  /** The next one; it stays. */
  get first(): E | undefined {
    return this.heap[0]?.event
  }

  add(event: E): void {
    this.heap.push({ event, order: (this.order += 1) })
    this.up(this.heap.length - 1)
  }

  takeFirst(): void {
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
    if (!a || !b) return false
    return a.event.at < b.event.at || (a.event.at === b.event.at && a.order < b.order)
  }

  private swapIfEarlier(i: number, j: number): boolean {
    const [a, b] = [this.heap[i], this.heap[j]]
    if (!a || !b || !this.isEarlier(i, j)) return false
    this.heap[i] = b
    this.heap[j] = a
    return true
  }
}
