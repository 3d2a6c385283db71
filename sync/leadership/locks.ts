/**
 * Web Locks, or locks within this page in browsers without them. Each lock has the time limit described in
 * `lease.ts`.
 */
import { beginLease, LEASE_LIMIT_MS, type Lease, type TabLocks } from './lease.ts'

/** How often within a limit a waiting tab checks who owns the lock. */
const CHECKS = 6

/** Creates the locks of this page. */
export const createLocks = (manager: LockManager | undefined, limitMs = LEASE_LIMIT_MS): TabLocks =>
  manager ? webLocks(manager, limitMs) : pageLocks(limitMs)

function webLocks(manager: LockManager, limitMs: number): TabLocks {
  // One request per tab at a time, so that no tab gets the lock twice in a row while another tab waits.
  const inPage = pageLocks(Infinity)

  async function take<T>(name: string, run: (hold: Lease) => Promise<T>, limit: number): Promise<T> {
    const waiting = new AbortController()
    let isHeld = false
    const hold = () => {
      isHeld = true
      clearInterval(checking)
      return run(beginLease(limit))
    }
    const isSame = sameHolder(manager, name, limit)
    const check = async () => {
      if (await isSame()) waiting.abort()
    }
    const checking = setInterval(() => void check(), limit / CHECKS)
    try {
      return await (manager.request(name, { signal: waiting.signal }, hold) as Promise<T>)
    } catch (error) {
      if (isHeld || !waiting.signal.aborted) throw error
      return (await manager.request(name, { steal: true }, hold)) as T
    } finally {
      clearInterval(checking)
    }
  }

  return {
    request: (name, run, patience = 1) => inPage.request(name, () => take(name, run, limitMs * patience)),
    async lead(name, run, { signal, steal }) {
      const lost = new AbortController()
      let ran = Promise.resolve()
      const hold = () => (ran = run(lost.signal))
      try {
        await manager.request(name, steal ? { steal } : { signal }, hold)
      } catch (error) {
        // Another tab took the lock, or the waiting ended.
        if (!(error instanceof DOMException) && error !== signal.reason) throw error
      }
      lost.abort()
      await ran
    },
  }
}

/** Returns a check that is true if the same tab has owned the lock at every check for a whole limit. */
function sameHolder(manager: LockManager, name: string, limit: number): () => Promise<boolean> {
  let holder: string | undefined
  let since = 0
  let before = 0
  return async () => {
    const { held = [] } = await manager.query()
    const now = performance.now()
    const { clientId } = held.find((lock) => lock.name === name) ?? {}
    // A tab that was asleep does not know who owned the lock meanwhile.
    const isGoingOn = clientId !== undefined && clientId === holder && now - before < limit / 2
    if (!isGoingOn) since = now
    holder = clientId
    before = now
    return isGoingOn && now - since >= limit
  }
}

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

/** Locks within one page, with the limits of `lease.ts`: for Node and for browsers without Web Locks. */
export function pageLocks(limitMs: number): TabLocks {
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
