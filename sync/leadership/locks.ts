/** The locks that all tabs share: Web Locks with the time limit of `lease.ts`. */
import { beginLease, LEASE_LIMIT_MS, type Lease, type TabLocks } from './lease.ts'

const CHECKS_PER_LIMIT = 6

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
    const checking = setInterval(() => void check(), limit / CHECKS_PER_LIMIT)
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
    // A page requests each lock once at a time, so that it does not get the lock twice in a row while another tab
    // waits.
    request: (name, run, patience = 1) => oneAfterTheOther(name, () => take(name, run, limitMs * patience)),
    async lead(name, run, { signal, steal }) {
      const lost = new AbortController()
      let ran = Promise.resolve()
      const own = () => (ran = run(lost.signal))
      try {
        await manager.request(name, steal ? { steal } : { signal }, own)
      } catch (error) {
        // An abort means that another tab took the lock or that the wait ended.
        if (!(error instanceof DOMException) && error !== signal.reason) throw error
      }
      lost.abort()
      await ran
    },
  }
}

/** Returns a function that runs tasks of the same name one after the other. */
function createQueues() {
  const ends = new Map<string, Promise<unknown>>()
  return <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const end = (ends.get(name) ?? Promise.resolve()).then(run, run)
    ends.set(name, end)
    return end
  }
}

/** Returns a check that is true once the same tab has owned the lock for a whole limit. */
function sameOwner(manager: LockManager, name: string, limit: number): () => Promise<boolean> {
  let owner: string | undefined
  let since = 0
  let before = 0
  return async () => {
    const { held = [] } = await manager.query()
    const now = performance.now()
    const { clientId } = held.find((lock) => lock.name === name) ?? {}
    // A tab that was asleep cannot know who owned the lock meanwhile, so it measures the limit again.
    const isGoingOn = clientId !== undefined && clientId === owner && now - before < limit / 2
    if (!isGoingOn) since = now
    owner = clientId
    before = now
    return isGoingOn && now - since >= limit
  }
}
