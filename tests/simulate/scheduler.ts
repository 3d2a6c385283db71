/**
 * Virtual time. Nothing in a run waits for a real timer: whatever takes time is an event here, and between two events
 * all promises that can go on do.
 */
interface Event {
  at: number
  order: number
  run: () => void | Promise<void>
}

export class Scheduler {
  now: number
  private order = 0
  private readonly underWay = new Set<Promise<void>>()
  private readonly heap: Event[] = []

  constructor(start: number) {
    this.now = start
  }

  after(ms: number, run: Event['run']): void {
    this.heap.push({ at: this.now + ms, order: (this.order += 1), run })
    this.up(this.heap.length - 1)
  }

  /** Something that takes a real moment, and no virtual one. */
  outside<T>(promise: Promise<T>): Promise<T> {
    const end = promise.then(
      () => void this.underWay.delete(end),
      () => void this.underWay.delete(end),
    )
    this.underWay.add(end)
    return promise
  }

  /** Once everything that only waits for promises has gone as far as it can. */
  private async settle(): Promise<void> {
    await turn()
    while (this.underWay.size > 0) {
      await Promise.all(this.underWay)
      await turn()
    }
  }

  /** Runs what is due until `end`, or until nothing is left. @returns whether it came to rest */
  async runUntil(end: number): Promise<boolean> {
    await this.settle()
    for (;;) {
      const next = this.heap[0]
      if (!next) return true
      if (next.at > end) {
        this.now = end
        return false
      }
      this.takeFirst()
      this.now = Math.max(this.now, next.at)
      await next.run()
      await this.settle()
    }
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

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Something that can be killed or frozen as a whole: a tab, or what runs in it for one user. */
export class Proc {
  alive = true
  frozenUntil = 0
  private readonly deaths: (() => void)[] = []

  private readonly parent: Proc | undefined

  constructor(parent?: Proc) {
    this.parent = parent
    parent?.onDeath(() => this.kill())
  }

  kill(): void {
    if (!this.alive) return
    this.alive = false
    for (const tell of this.deaths) tell()
  }

  onDeath(tell: () => void): void {
    this.deaths.push(tell)
  }

  get thawsAt(): number {
    return Math.max(this.frozenUntil, this.parent?.thawsAt ?? 0)
  }
}

/** Resolves after so long in this process; never where it died meanwhile, later where it was frozen. */
export function sleepIn(time: Scheduler, proc: Proc, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      if (!proc.alive) return
      if (proc.thawsAt > time.now) time.after(proc.thawsAt - time.now, wake)
      else resolve()
    }
    time.after(ms, wake)
  })
}

/** What a dead process waits for. */
export const never = <T>(): Promise<T> => new Promise(() => undefined)
