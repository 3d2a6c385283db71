/**
 * Live queries as stores for React: one subscription per key however many components look, and the last value at once
 * for the next one. (RxDB's own hooks loop on a query that is written inline.)
 */
import { NEVER, type Observable, type Subscription } from 'rxjs'
import { loadUntilThere } from '#lib/browser/missing-code.ts'

export interface LiveStore<T> {
  subscribe(listener: () => void): () => void
  get(): T | undefined
  /** Somebody looks, and nothing was read yet. */
  isReading(): boolean
}

export type LiveQuery<Source, T> = (source: Source) => Observable<T>

/** A query whose code is loaded when somebody looks. */
export interface LazyQuery<Source, T> {
  load(): Promise<LiveQuery<Source, T>>
}

export interface LiveQueries<Source> {
  /** @param key the same key means the same query */
  store<T>(key: string, query: LiveQuery<Source, T> | LazyQuery<Source, T>): LiveStore<T>
  /** What is on the screen is still being read from the device. */
  isReading(): boolean
  /** No query begins any more: the source closes. Those that have begun end with it. */
  stop(): void
}

/** A query goes on for this long after its last subscription, so that going back shows rows in the first frame. */
const KEEP_MS = 30_000

export function createLiveQueries<Source>(source: Source): LiveQueries<Source> {
  // a key has one store for good: a component may subscribe to the one of an earlier render
  const stores = new Map<string, LiveStore<unknown>>()
  let isStopped = false
  const open = <T>(query: LiveQuery<Source, T>): Observable<T> => (isStopped ? NEVER : query(source))
  return {
    store<T>(key: string, query: LiveQuery<Source, T> | LazyQuery<Source, T>) {
      const known = stores.get(key)
      if (known) return known as LiveStore<T>
      const store = createStore(started(open, query))
      stores.set(key, store)
      return store
    },
    isReading: () => [...stores.values()].some((store) => store.isReading()),
    stop: () => void (isStopped = true),
  }
}

type Started<T> = (next: (value: T) => void) => Pick<Subscription, 'unsubscribe'>

function started<Source, T>(
  open: (query: LiveQuery<Source, T>) => Observable<T>,
  query: LiveQuery<Source, T> | LazyQuery<Source, T>,
): Started<T> {
  if (typeof query === 'function') return (next) => open(query).subscribe(next)
  return (next) => {
    let left = false
    let subscription: Subscription | undefined
    const begin = async () => {
      const loaded = await loadUntilThere(() => query.load())
      if (!left) subscription = open(loaded).subscribe(next)
    }
    void begin()
    return {
      unsubscribe() {
        left = true
        subscription?.unsubscribe()
      },
    }
  }
}

const waiting = new Set<() => void>()

/**
 * In the next task, for all stores together: one write changes several queries, and is drawn once. And not before who wrote
 * goes on: a save is done when it is on disk, not when the screen that is about to be left was drawn with it.
 */
function soon(tell: () => void): void {
  if (waiting.size === 0)
    setTimeout(() => {
      const all = [...waiting]
      waiting.clear()
      for (const each of all) each()
    }, 0)
  waiting.add(tell)
}

/** Each subscription counts by itself and ends once, however often it is ended. */
function createStore<T>(begin: Started<T>): LiveStore<T> {
  const listeners = new Set<() => void>()
  let value: T | undefined
  let subscription: ReturnType<Started<T>> | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let latest: T | undefined
  const tell = () => {
    value = latest
    for (const listener of listeners) listener()
  }
  const start = () =>
    begin((next) => {
      latest = next
      // the first rows at once
      if (value === undefined) tell()
      else soon(tell)
    })
  const leave = () => {
    waiting.delete(tell)
    subscription?.unsubscribe()
    subscription = undefined
    // an ended query says nothing of now
    value = undefined
  }
  return {
    subscribe(listener) {
      const own = () => listener()
      clearTimeout(idle)
      listeners.add(own)
      subscription ??= start()
      return () => {
        if (listeners.delete(own) && listeners.size === 0) idle = setTimeout(leave, KEEP_MS)
      }
    },
    get: () => value,
    isReading: () => listeners.size > 0 && value === undefined,
  }
}
