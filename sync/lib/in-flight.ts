/**
 * Tracks the sync module's current work, so that stopping can wait for it. RxDB does not finish closing a
 * database during a write (seen under load), and the next user's database would never open.
 */
export interface InFlight {
  run<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when no work is in progress. */
  ended(): Promise<void>
}

export function createInFlight(): InFlight {
  const running = new Set<Promise<unknown>>()
  return {
    run(work) {
      const end = work()
      running.add(end)
      const forget = () => void running.delete(end)
      end.then(forget, forget)
      return end
    },
    async ended() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
