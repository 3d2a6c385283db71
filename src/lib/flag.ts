/** A boolean value to subscribe to with `useSyncExternalStore`. */
export interface Flag {
  subscribe(listener: () => void): () => void
  get(): boolean
}

export function createFlag(initial: boolean): Flag & { set(next: boolean): void } {
  let is = initial
  const listeners = new Set<() => void>()
  return {
    get: () => is,
    set(next) {
      is = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
