/**
 * Decides when a create without an answer may be sent again (RULES OC9). A slow CRM may apply a call after the app
 * has given it up, so a record that is absent at first may appear later. Two read-backs, at least one time limit
 * apart, must find it absent. The state is in memory and uses a monotonic clock. After a start both read-backs are
 * repeated, the second one time limit later than usual, because the time of the call is unknown.
 *
 *     no answer ─→ first read-back: absent ─→ one time limit ─→ second read-back: absent ─→ may be sent again
 */
export interface LateChecks {
  /** A call of this change leaves: earlier read-backs no longer count. */
  begun(id: string): void
  /** The CRM itself answered, so its call has ended: one read-back is enough. */
  answered(id: string): void
  /** Milliseconds until the second read-back; 0 if a read-back is due now. */
  wait(id: string): number
  /** A read-back found nothing. @returns milliseconds until the second one; 0 if this was the second one */
  absent(id: string): number
}

/**
 * @param elapsed milliseconds of a monotonic clock
 * @param gapMs the time limit of a call, in milliseconds
 */
export function createLateChecks(elapsed: () => number, gapMs: number): LateChecks {
  /** By change id, the time of the first read-back that found nothing; in the future after a start. */
  const absentSince = new Map<string, number>()
  const calledIds = new Set<string>()
  const wait = (since: number) => Math.max(0, Math.ceil(since + gapMs - elapsed()))
  return {
    begun(id) {
      calledIds.add(id)
      absentSince.delete(id)
    },
    answered: (id) => void absentSince.set(id, -Infinity),
    wait: (id) => wait(absentSince.get(id) ?? -Infinity),
    absent(id) {
      const since = absentSince.get(id) ?? elapsed() + (calledIds.has(id) ? 0 : gapMs)
      absentSince.set(id, since)
      return wait(since)
    },
  }
}

/** True if nobody answered, or a gateway gave up waiting: the CRM may still be processing the call. */
export const isLost = ({ kind, status = 0 }: { kind: string; status?: number }): boolean =>
  kind === 'unreachable' || (kind === 'unknown' && [0, 502, 504].includes(status))
