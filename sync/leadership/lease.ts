/**
 * A turn with a lock, and its time limit: a tab can be frozen while it holds a lock (decisions/tabs). Who has seen the
 * same holder for so long takes the lock from it; the holder begins nothing that could end after its limit.
 *
 *     hold ├── a call may begin ──┤← one call's time →┤ limit: others may take the lock
 */
export interface Lease {
  /** Whether something that takes up to so long may still begin. */
  allows(ms: number): boolean
}

export interface Locks {
  /** @param patience how many times the usual limit the hold may take */
  request<T>(name: string, run: (hold: Lease) => Promise<T>, patience?: number): Promise<T>
}

interface LeadOptions {
  /** Ends the waiting. */
  signal: AbortSignal
  /** Takes it from whoever has it. */
  steal?: boolean
}

/** Beside them a lock without a limit, which can be taken from its holder at once. */
export interface TabLocks extends Locks {
  /** @returns when it was given up or lost, or the waiting was ended */
  lead(name: string, run: (lost: AbortSignal) => Promise<void>, options: LeadOptions): Promise<void>
}

/** What was to be done under a lock came too late: another tab may have it now. */
export class LeaseOver extends Error {}

/** Longer than several calls, each of which ends by itself. */
export const LEASE_LIMIT_MS = 60_000
/** A write of one document takes less. */
const WRITE_MS = 1_000

/** Limits are measured by a clock that nobody sets, and that goes on in a frozen tab. */
export function beginLease(limitMs: number): Lease {
  const end = performance.now() + limitMs
  return { allows: (ms) => performance.now() + ms < end }
}

/** Called in the step that writes, so that nothing can come between. */
export function mayWrite(hold: Lease | undefined): void {
  if (hold && !hold.allows(WRITE_MS)) throw new LeaseOver('the hold is over')
}
