/**
 * A lease is a lock with a time limit, because a tab can be frozen while it owns a lock (decisions/tabs). Another tab
 * takes the lock once it has seen the same owner for the whole limit. The owner begins nothing that could end after its
 * limit.
 *
 *     lease ├── a call may begin ──┤← one call's time →┤ limit: others may take the lock
 */
export interface Lease {
  /** True if work that takes up to `ms` may still begin. */
  allows(ms: number): boolean
}

/** Locks with a time limit. */
export interface Locks {
  /**
   * Runs `run` under the lock.
   * @param patience factor of the usual time limit
   */
  request<T>(name: string, run: (lease: Lease) => Promise<T>, patience?: number): Promise<T>
}

interface LeadOptions {
  /** Ends the wait for the lock. */
  signal: AbortSignal
  /** Takes the lock from its owner. */
  steal?: boolean
}

/** The locks of a tab, which include a lock without a time limit that can be taken from its owner at any time. */
export interface TabLocks extends Locks {
  /** Runs `run` under a lock without a time limit. Resolves when the lock was released or taken, or the wait for it ended. */
  lead(name: string, run: (lost: AbortSignal) => Promise<void>, options: LeadOptions): Promise<void>
}

/** Thrown if the lease has ended, because another tab may own the lock now. */
export class LeaseOver extends Error {}

/** Usual time limit of a lock: longer than several calls. */
export const LEASE_LIMIT_MS = 60_000
/** Upper limit for the duration of writing one document. */
const WRITE_MS = 1_000

/** Starts a lease. Its clock is monotonic and continues in a frozen tab. */
export function beginLease(limitMs: number): Lease {
  const end = performance.now() + limitMs
  return { allows: (ms) => performance.now() + ms < end }
}

/**
 * Checks the lease immediately before a write.
 * @throws LeaseOver
 */
export function mayWrite(hold: Lease | undefined): void {
  if (hold && !hold.allows(WRITE_MS)) throw new LeaseOver('the hold is over')
}
