/** Web Locks of one device: one holder at a time over all tabs; a tab that dies gives up what it held or waited for. */
import type { Locks } from '#sync/transport/locks.ts'
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
      request: (name, run) =>
        new Promise((resolve, reject) => {
          const hold = async () => {
            await sleepIn(this.time, proc, 0)
            try {
              resolve(await run())
            } catch (error) {
              reject(error)
            }
            this.leave(name, waiter)
          }
          const waiter: Waiter = { proc, start: () => void hold() }
          this.enter(name, waiter)
        }),
    }
  }

  private enter(name: string, waiter: Waiter): void {
    const queue = this.queues.get(name) ?? []
    this.queues.set(name, queue)
    queue.push(waiter)
    waiter.proc.onDeath(() => this.leave(name, waiter))
    if (queue.length === 1) waiter.start()
  }

  private leave(name: string, waiter: Waiter): void {
    const queue = this.queues.get(name) ?? []
    const place = queue.indexOf(waiter)
    if (place < 0) return
    queue.splice(place, 1)
    if (place === 0) queue[0]?.start()
  }
}
