/**
 * When the CRM has been looked at for long enough after a create that had no answer (RULES OC9). A CRM slower than the
 * time limit does the call after it was given up: what is not there at the first look may be there a while later. So
 * there are two looks, at least one time limit apart, before the same content leaves again. In memory, by a clock that
 * nobody sets: after a start both looks are made anew, and as nobody knows when the call left, a time limit later.
 *
 *     no answer ─→ first look: not there ─→ one time limit ─→ second look: not there ─→ it may leave again
 */
export interface LateChecks {
  /** A call of it leaves: what was seen before says nothing of it. */
  begun(id: string): void
  /** The CRM itself answered: it is done with the call, one look is enough. */
  answered(id: string): void
  /** Milliseconds until the second look; 0 where it is due, or the first one is. */
  wait(id: string): number
  /** It was looked for, and is not there. @returns milliseconds until the second look; 0 where this was it */
  absent(id: string): number
}

/** @param elapsed milliseconds, by a clock that only goes on */
export function createLateChecks(elapsed: () => number, gapMs: number): LateChecks {
  /** Since when it is known not to be there. */
  const absentSince = new Map<string, number>()
  const left = new Set<string>()
  const wait = (since: number) => Math.max(0, Math.ceil(since + gapMs - elapsed()))
  return {
    begun(id) {
      left.add(id)
      absentSince.delete(id)
    },
    answered: (id) => void absentSince.set(id, -Infinity),
    wait: (id) => wait(absentSince.get(id) ?? -Infinity),
    absent(id) {
      const since = absentSince.get(id) ?? elapsed() + (left.has(id) ? 0 : gapMs)
      absentSince.set(id, since)
      return wait(since)
    },
  }
}

/** Nobody answered, or a gateway that gave up waiting: whoever does the call may still be at it. */
export const isLost = ({ kind, status = 0 }: { kind: string; status?: number }): boolean =>
  kind === 'unreachable' || (kind === 'unknown' && [0, 502, 504].includes(status))
