/**
 * Live queries as stores for React: one subscription per key however many components look, and the last value at once
 * for the next one. (RxDB's own hooks loop on a query that is written inline.)
 */
import type { Observable, Subscription } from 'rxjs'

export interface LiveStore<T> {
  subscribe(listener: () => void): () => void
  get(): T | undefined
}

export interface LiveQueries<Source> {
  /** @param key the same key means the same query */
  store<T>(key: string, query: (source: Source) => Observable<T>): LiveStore<T>
}

/** A value is kept this long after the last component left, so that going back shows rows in the first frame. */
const KEEP_MS = 30_000

export function createLiveQueries<Source>(source: Source): LiveQueries<Source> {
  const stores = new Map<string, LiveStore<unknown>>()
  return {
    store<T>(key: string, query: (source: Source) => Observable<T>) {
      const known = stores.get(key)
      if (known) return known as LiveStore<T>
      const store = createStore(query(source), () => stores.delete(key))
      stores.set(key, store)
      return store
    },
  }
}

function createStore<T>(values$: Observable<T>, onIdle: () => void): LiveStore<T> {
  const listeners = new Set<() => void>()
  let value: T | undefined
  let subscription: Subscription | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  const start = () =>
    values$.subscribe((next) => {
      value = next
      for (const listener of listeners) listener()
    })
  const leave = () => {
    subscription?.unsubscribe()
    subscription = undefined
    onIdle()
  }
  return {
    subscribe(listener) {
      clearTimeout(idle)
      listeners.add(listener)
      subscription ??= start()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) idle = setTimeout(leave, KEEP_MS)
      }
    },
    get: () => value,
  }
}
