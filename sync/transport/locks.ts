/** The part of the Web Locks API that is used: one holder at a time, over all tabs. */
export interface Locks {
  request<T>(name: string, run: () => Promise<T>): Promise<T>
}

/** Web Locks where the browser has them, else a lock within this page (Node, very old browsers). */
export function createLocks(manager: LockManager | undefined): Locks {
  return manager
    ? { request: (name, run) => manager.request(name, { mode: 'exclusive' }, run) as ReturnType<typeof run> }
    : pageLocks()
}

function pageLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>()
  return {
    request(name, run) {
      const turn = (tails.get(name) ?? Promise.resolve()).then(run, run)
      tails.set(
        name,
        turn.catch(() => undefined),
      )
      return turn
    },
  }
}
