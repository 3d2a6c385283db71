/** A value and its listeners. React components read it with `useValue(store)`. */
export interface ValueStore<T> {
  subscribe(listener: () => void): () => void
  get(): T
}

export interface WritableStore<T> extends ValueStore<T> {
  set(value: T): void
}

/** Creates a store that calls its listeners after each change. */
export function createValueStore<T>(initial: T): WritableStore<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A promise together with the function that resolves it. */
export interface Signal<T = void> {
  resolve(value: T): void
  done: Promise<T>
}

export function signal<T = void>(): Signal<T> {
  let resolve: (value: T) => void = () => undefined
  const done = new Promise<T>((settle) => (resolve = settle))
  return { resolve, done }
}
