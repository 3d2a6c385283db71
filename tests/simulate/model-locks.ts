/**
 * Web Locks of one device: one holder at a time over all tabs; a tab that dies gives up what it held or waited for, and
 * from one that holds a lock too long the next tab takes it (`lease.ts`).
 */
import { LEASE_LIMIT_MS, type Locks } from '#sync/leadership/lease.ts'
import { sleepIn, type Proc, type Scheduler } from './scheduler.ts'

interface Waiter {
  proc: Proc
  start: () => void
}

export class ModelLocks {
  private readonly queues = new Map<string, Waiter[]>()
  private readonly time: Scheduler

  constructor(time: Scheduler) {
    this.time = time
  }

  /** The locks as one tab sees them. */
  of(proc: Proc): Locks {
    return {
      request: (name, run, patience = 1) =>
        new Promise((resolve, reject) => {
          const limit = LEASE_LIMIT_MS * patience
          const hold = async () => {
            const end = this.time.now + limit
            await sleepIn(this.time, proc, 0)
            try {
              resolve(await run({ allows: (ms) => this.time.now + ms < end }))
            } catch (error) {
              reject(error)
            }
            this.leave(name, waiter, limit)
          }
          const waiter: Waiter = { proc, start: () => void hold() }
          this.enter(name, waiter, limit)
        }),
    }
  }

  private enter(name: string, waiter: Waiter, limit: number): void {
    // the dead ask for nothing: nobody would ever give it back for them
    if (!waiter.proc.alive) return
    const queue = this.queues.get(name) ?? []
    this.queues.set(name, queue)
    queue.push(waiter)
    waiter.proc.onDeath(() => this.leave(name, waiter, limit))
    if (queue.length === 1) waiter.start()
    else this.watch(name, queue, limit)
  }

  private leave(name: string, waiter: Waiter, limit: number): void {
    const queue = this.queues.get(name) ?? []
    const place = queue.indexOf(waiter)
    if (place < 0) return
    queue.splice(place, 1)
    if (place > 0) return
    queue[0]?.start()
    this.watch(name, queue, limit)
  }

  /** Whoever waits sees the same holder for the whole limit. */
  private watch(name: string, queue: Waiter[], limit: number): void {
    const [holder, ...others] = queue
    if (!holder || others.length === 0) return
    this.time.after(limit, () => {
      const waiting = queue.filter(({ proc }) => proc.thawsAt <= this.time.now)
      if (queue[0] === holder && waiting.some((waiter) => waiter !== holder)) this.leave(name, holder, limit)
    })
  }
}
