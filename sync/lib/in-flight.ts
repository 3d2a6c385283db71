/**
 * What the sync module is doing at this moment, so that stopping can wait for it: RxDB does not finish closing a database
 * in the middle of a write of ours (seen under load), and the next user's data would never open.
 */
export interface InFlight {
  run<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when nothing is under way. */
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
