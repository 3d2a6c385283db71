/**
 * Virtual time. Nothing in a run waits for a real timer: whatever takes time is an event here, and between two events
 * all promises that can go on do.
 */
import { EventQueue } from './event-queue.ts'

interface Event {
  at: number
  run: () => void | Promise<void>
}

export class Scheduler {
  now: number
  private readonly underWay = new Set<Promise<void>>()
  private readonly events = new EventQueue<Event>()

  constructor(start: number) {
    this.now = start
  }

  after(ms: number, run: Event['run']): void {
    this.events.add({ at: this.now + ms, run })
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

  /** Nothing more of it is wanted: no event runs from then on. */
  isOver = (): boolean => false

  /** Runs what is due until `end`, or until nothing is left. @returns whether it came to rest */
  async runUntil(end: number): Promise<boolean> {
    await this.settle()
    for (;;) {
      const next = this.events.first
      if (!next || this.isOver()) return true
      if (next.at > end) {
        this.now = end
        return false
      }
      this.events.takeFirst()
      this.now = Math.max(this.now, next.at)
      await next.run()
      await this.settle()
    }
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
