/**
 * A lock with a time limit, because a tab can be frozen while it owns a lock (decisions/tabs). Another tab
 * takes the lock from an owner that it has seen for that long. The owner begins nothing that could end after
 * its limit.
 *
 *     lease ├── a call may begin ──┤← one call's time →┤ limit: others may take the lock
 */
export interface Lease {
  /** True if something that takes up to `ms` may still begin. */
  allows(ms: number): boolean
}

/** Locks with a time limit. */
export interface Locks {
  /**
   * Runs `run` under the lock.
   * @param patience multiplies the usual time limit
   */
  request<T>(name: string, run: (hold: Lease) => Promise<T>, patience?: number): Promise<T>
}

interface LeadOptions {
  /** Ends the waiting. */
  signal: AbortSignal
  /** Takes the lock from its owner. */
  steal?: boolean
}

/** Adds a lock without a limit, which can be taken from its owner at any time. */
export interface TabLocks extends Locks {
  /** Resolves when the lock was released or lost, or the waiting ended. */
  lead(name: string, run: (lost: AbortSignal) => Promise<void>, options: LeadOptions): Promise<void>
}

/** Thrown if the lease ended before the work: another tab may own the lock now. */
export class LeaseOver extends Error {}

/** Longer than several calls, each of which has its own time limit. */
export const LEASE_LIMIT_MS = 60_000
/** Upper limit for writing one document. */
const WRITE_MS = 1_000

/** Starts a lease. Limits use a monotonic clock that continues in a frozen tab. */
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
