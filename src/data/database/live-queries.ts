/**
 * Live queries as external stores for React. Each key has one subscription, however many components use it,
 * and a new component gets the last value at once. RxDB's own hooks loop on a query that is written inline.
 */
import { NEVER, type Observable, type Subscription } from 'rxjs'
import { loadUntilThere } from '#lib/browser/missing-code.ts'

/** The store of one query, in the shape that `useSyncExternalStore` expects. */
export interface LiveStore<T> {
  subscribe(listener: () => void): () => void
  get(): T | undefined
  /** True if someone subscribes and no value has arrived yet. */
  isReading(): boolean
}

export type LiveQuery<Source, T> = (source: Source) => Observable<T>

/** A query whose code is loaded on the first subscription. */
export interface LazyQuery<Source, T> {
  load(): Promise<LiveQuery<Source, T>>
}

export interface LiveQueries<Source> {
  /**
   * Returns the store of a query.
   * @param key identifies the query: equal keys share one store
   */
  store<T>(key: string, query: LiveQuery<Source, T> | LazyQuery<Source, T>): LiveStore<T>
  isReading(): boolean
  /** Starts no more queries, because the database is closing. Running queries end when it closes. */
  stop(): void
}

/** A query runs this long after its last subscription, so that going back shows rows in the first frame. */
const KEEP_MS = 30_000

/** Creates the query stores of one source (a database). */
export function createLiveQueries<Source>(source: Source): LiveQueries<Source> {
  // Stores are never removed, because a component may subscribe to one from an earlier render.
  const stores = new Map<string, LiveStore<unknown>>()
  let isStopped = false
  const open = <T>(query: LiveQuery<Source, T>): Observable<T> => (isStopped ? NEVER : query(source))
  return {
    store<T>(key: string, query: LiveQuery<Source, T> | LazyQuery<Source, T>) {
      const known = stores.get(key)
      if (known) return known as LiveStore<T>
      const store = createStore(starterOf(open, query))
      stores.set(key, store)
      return store
    },
    isReading: () => [...stores.values()].some((store) => store.isReading()),
    stop: () => void (isStopped = true),
  }
}

type Starter<T> = (next: (value: T) => void) => Pick<Subscription, 'unsubscribe'>

function starterOf<Source, T>(
  open: (query: LiveQuery<Source, T>) => Observable<T>,
  query: LiveQuery<Source, T> | LazyQuery<Source, T>,
): Starter<T> {
  if (typeof query === 'function') return (next) => open(query).subscribe(next)
  return (next) => {
    let isEnded = false
    let subscription: Subscription | undefined
    const begin = async () => {
      const loaded = await loadUntilThere(() => query.load())
      if (!isEnded) subscription = open(loaded).subscribe(next)
    }
    void begin()
    return {
      unsubscribe() {
        isEnded = true
        subscription?.unsubscribe()
      },
    }
  }
}

/** Stores whose listeners are notified in the next task. */
const waiting = new Set<() => void>()

/**
 * Calls `notify` in the next task, together with all other waiting stores. One write can change several
 * queries, and the screen then renders once. A save that is running also ends before the screen renders.
 */
function notifySoon(notify: () => void): void {
  if (waiting.size === 0)
    setTimeout(() => {
      const all = [...waiting]
      waiting.clear()
      for (const each of all) each()
    }, 0)
  waiting.add(notify)
}

/** A store that counts its subscriptions. Unsubscribing twice has no effect. */
function createStore<T>(begin: Starter<T>): LiveStore<T> {
  const listeners = new Set<() => void>()
  let value: T | undefined
  let subscription: ReturnType<Starter<T>> | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let latest: T | undefined
  const notify = () => {
    value = latest
    for (const listener of listeners) listener()
  }
  const start = () =>
    begin((next) => {
      latest = next
      // The first value is delivered at once.
      if (value === undefined) notify()
      else notifySoon(notify)
    })
  const end = () => {
    waiting.delete(notify)
    subscription?.unsubscribe()
    subscription = undefined
    // The last value of an ended query is out of date.
    value = undefined
  }
  return {
    subscribe(listener) {
      const own = () => listener()
      clearTimeout(idle)
      listeners.add(own)
      subscription ??= start()
      return () => {
        if (listeners.delete(own) && listeners.size === 0) idle = setTimeout(end, KEEP_MS)
      }
    },
    get: () => value,
    isReading: () => listeners.size > 0 && value === undefined,
  }
}
