/**
 * A lease is a lock with a time limit, because a tab can be frozen while it owns a lock (decisions/tabs). Another tab
 * takes the lock if it sees the same owner for the whole limit. The owner begins no work that could end after the
 * limit.
 *
 *     lease ├── a call may begin ──┤← one call's time →┤ limit: others may take the lock
 */
export interface Lease {
  /** True if work that takes up to `ms` may still begin. */
  allows(ms: number): boolean
}

export interface Locks {
  /**
   * Calls `run` while the tab owns the lock.
   * @param patience multiplies the usual time limit
   */
  request<T>(name: string, run: (lease: Lease) => Promise<T>, patience?: number): Promise<T>
}

interface LeadOptions {
  signal: AbortSignal
  steal?: boolean
}

/** The locks of a tab. One of them, the lead lock, has no time limit and can be taken from its owner at any time. */
export interface TabLocks extends Locks {
  /**
   * Calls `run` while the tab owns a lock without a time limit. Resolves when the lock is released or taken, or the
   * wait ends.
   */
  lead(name: string, run: (lost: AbortSignal) => Promise<void>, options: LeadOptions): Promise<void>
}

/** Thrown if the lease has ended and another tab may own the lock. */
export class LeaseOver extends Error {}

/** Usual time limit of a lock: longer than several calls. */
export const LEASE_LIMIT_MS = 60_000
/** Upper limit for the time that the write of a document takes. */
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
