import { fromEvent, map, type Observable } from 'rxjs'
/**
 * The locks that all tabs share: Web Locks with a time limit, because a tab can be frozen while it owns a lock
 * (decisions/tabs). A lease is such a lock while it is owned. Another tab takes the lock if it sees the same owner for
 * the whole limit. The owner begins no work that could end after the limit.
 *
 *     lease ├── a call may begin ──┤← one call's time →┤ limit: others may take the lock
 */
export interface Lease {
  /** True if work that takes up to `ms` may still begin. */
  allows(ms: number): boolean
}

export interface Locks {
  /** Calls `run` while the tab owns the lock. @param patience multiplies the usual time limit */
  request<T>(name: string, run: (lease: Lease) => Promise<T>, patience?: number): Promise<T>
}

/** The locks of a tab. One of them, the lead lock, has no time limit and can be taken from its owner at any time. */
export interface TabLocks extends Locks {
  /** Calls `run` while the tab owns the lock. Resolves when the lock is released or taken, or the wait ends. */
  lead(
    name: string,
    run: (lost: AbortSignal) => Promise<void>,
    options: { signal: AbortSignal; steal?: boolean },
  ): Promise<void>
}

/** Thrown if the lease has ended and another tab may own the lock. */
export class LeaseOver extends Error {}

/** Usual time limit of a lock: longer than several calls. */
export const LEASE_LIMIT_MS = 60_000
const WRITE_MS = 1_000

/** Starts a lease. Its monotonic clock also runs while the tab is frozen. */
export function beginLease(limitMs: number): Lease {
  const end = performance.now() + limitMs
  return { allows: (ms) => performance.now() + ms < end }
}

/** Called immediately before a write. @throws LeaseOver if the lease has ended */
export function mayWrite(hold: Lease | undefined): void {
  if (hold && !hold.allows(WRITE_MS)) throw new LeaseOver('the hold is over')
}

const CHECKS_PER_LIMIT = 6

export function createLocks(manager: LockManager, limitMs = LEASE_LIMIT_MS): TabLocks {
  const ends = new Map<string, Promise<unknown>>()

  async function take<T>(name: string, run: (lease: Lease) => Promise<T>, limit: number): Promise<T> {
    const waiting = new AbortController()
    let isOwned = false
    const own = () => {
      isOwned = true
      clearInterval(checking)
      return run(beginLease(limit))
    }
    const isSame = sameOwner(manager, name, limit)
    const check = async () => (await isSame()) && waiting.abort()
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
    // A page requests each lock once at a time, so that it does not get it twice in a row while another tab waits.
    request(name, run, patience = 1) {
      const task = () => take(name, run, limitMs * patience)
      const end = (ends.get(name) ?? Promise.resolve()).then(task, task)
      ends.set(name, end)
      return end
    },
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

/** Short messages between the tabs of one browser. A tab does not receive its own. */
export interface TabChannel {
  say(word: string): void
  messages$: Observable<string>
  close(): void
}

export function createTabChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name)
  return {
    say: (word) => channel.postMessage(word),
    messages$: fromEvent<MessageEvent>(channel, 'message').pipe(map(({ data }) => String(data))),
    close: () => channel.close(),
  }
}
