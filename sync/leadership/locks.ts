/** Locks over all tabs, made of Web Locks and the time limit that `lease.ts` describes. */
import { beginLease, LEASE_LIMIT_MS, type Lease, type TabLocks } from './lease.ts'

/** How often within a limit a waiting tab checks who owns the lock. */
const CHECKS = 6

/** Creates the locks of this page. */
export function createLocks(manager: LockManager, limitMs = LEASE_LIMIT_MS): TabLocks {
  const oneAfterTheOther = createQueues()

  async function take<T>(name: string, run: (lease: Lease) => Promise<T>, limit: number): Promise<T> {
    const waiting = new AbortController()
    let isOwned = false
    const own = () => {
      isOwned = true
      clearInterval(checking)
      return run(beginLease(limit))
    }
    const isSame = sameOwner(manager, name, limit)
    const check = async () => {
      if (await isSame()) waiting.abort()
    }
    const checking = setInterval(() => void check(), limit / CHECKS)
    try {
      return await (manager.request(name, { signal: waiting.signal }, own) as Promise<T>)
    } catch (error) {
      if (isOwned || !waiting.signal.aborted) throw error
      return (await manager.request(name, { steal: true }, own)) as T
    } finally {
      clearInterval(checking)
    }
  }

  return {
    // A page makes one request of each lock at a time, so that no tab gets it twice in a row while another tab waits.
    request: (name, run, patience = 1) => oneAfterTheOther(name, () => take(name, run, limitMs * patience)),
    async lead(name, run, { signal, steal }) {
      const lost = new AbortController()
      let ran = Promise.resolve()
      const own = () => (ran = run(lost.signal))
      try {
        await manager.request(name, steal ? { steal } : { signal }, own)
      } catch (error) {
        // Another tab took the lock, or the waiting ended.
        if (!(error instanceof DOMException) && error !== signal.reason) throw error
      }
      lost.abort()
      await ran
    },
  }
}

/** Returns a function that runs the tasks of each name one after the other. */
function createQueues() {
  const ends = new Map<string, Promise<unknown>>()
  return <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const end = (ends.get(name) ?? Promise.resolve()).then(run, run)
    ends.set(name, end)
    return end
  }
}

/** Returns a check that is true if the same tab has owned the lock at every check for a whole limit. */
function sameOwner(manager: LockManager, name: string, limit: number): () => Promise<boolean> {
  let owner: string | undefined
  let since = 0
  let before = 0
  return async () => {
    const { held = [] } = await manager.query()
    const now = performance.now()
    const { clientId } = held.find((lock) => lock.name === name) ?? {}
    // A tab that was asleep does not know who owned the lock meanwhile.
    const isGoingOn = clientId !== undefined && clientId === owner && now - before < limit / 2
    if (!isGoingOn) since = now
    owner = clientId
    before = now
    return isGoingOn && now - since >= limit
  }
}
