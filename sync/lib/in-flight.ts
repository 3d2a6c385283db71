/**
 * Tracks running work of sync, so that a stop can wait for it. RxDB never finishes closing a database during a write,
 * and the next user's database could then not open.
 */
export interface InFlight {
  run<T>(work: () => Promise<T>): Promise<T>
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
