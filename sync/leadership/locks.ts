/**
 * Web Locks, or locks within this page in browsers without them. Each lock has the time limit described in
 * `lease.ts`.
 */
import { beginLease, LEASE_LIMIT_MS, type Lease, type TabLocks } from './lease.ts'
import { pageLocks } from './page-locks.ts'

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
