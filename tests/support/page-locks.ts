/**
 * Locks within one page, with the limits of `lease.ts`, for tests in Node, which has no Web Locks. Several tabs of a
 * test share them: a lock whose limit is over goes to the next one, whatever its owner does.
 */
import { beginLease, LEASE_LIMIT_MS, type TabLocks } from '#sync/leadership/lease.ts'

interface Waiter {
  start: () => void
  /** Called when another owner has taken the lock. */
  lose?: () => void
}

/** The queue of each lock: its owner is first, then those who wait. */
function waitingQueues() {
  const queues = new Map<string, Waiter[]>()
  const queueOf = (name: string) => {
    const queue = queues.get(name) ?? []
    queues.set(name, queue)
    return queue
  }
  return {
    enter(name: string, waiter: Waiter): void {
      const queue = queueOf(name)
      queue.push(waiter)
      if (queue[0] === waiter) waiter.start()
    },
    leave(name: string, waiter: Waiter): void {
      const queue = queueOf(name)
      const place = queue.indexOf(waiter)
      if (place < 0) return
      queue.splice(place, 1)
      if (place === 0) queue[0]?.start()
    },
    take(name: string, waiter: Waiter): void {
      const queue = queueOf(name)
      queue.shift()?.lose?.()
      queue.unshift(waiter)
      waiter.start()
    },
  }
}

export function pageLocks(limitMs = LEASE_LIMIT_MS): TabLocks {
  const { enter, leave, take } = waitingQueues()
  return {
    request: (name, run, limitFactor = 1) =>
      new Promise((resolve, reject) => {
        const limit = limitMs * limitFactor
        const hold = async () => {
          // After the limit the next one starts, even if this one never ends.
          const limitTimer = Number.isFinite(limit) ? setTimeout(() => leave(name, waiter), limit) : undefined
          try {
            resolve(await run(beginLease(limit)))
          } catch (error) {
            reject(error)
          }
          clearTimeout(limitTimer)
          leave(name, waiter)
        }
        const waiter: Waiter = { start: () => void hold() }
        enter(name, waiter)
      }),

    lead: (name, run, { signal, steal = false }) =>
      new Promise((resolve, reject) => {
        const lost = new AbortController()
        const end = () => {
          leave(name, waiter)
          resolve()
        }
        const waiter: Waiter = {
          start() {
            // From here on only `lost` ends it.
            signal.removeEventListener('abort', end)
            run(lost.signal).then(end, (error: unknown) => {
              leave(name, waiter)
              reject(error)
            })
          },
          lose: () => lost.abort(),
        }
        signal.addEventListener('abort', end)
        if (steal) take(name, waiter)
        else enter(name, waiter)
      }),
  }
}
