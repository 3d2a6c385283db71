/**
 * Live queries as external stores for React. Components with equal keys share one subscription, and a new component
 * gets the last value at once. RxDB's own hooks loop if a query is written inline.
 */
import { defer, NEVER, switchMap, type Observable, type Subscription } from 'rxjs'
import { cached } from '#lib/cached.ts'
import { loadUntilThere } from '#lib/browser/missing-code.ts'

export type LiveQuery<Source, T> = (source: Source) => Observable<T>

export interface LazyQuery<Source, T> {
  load(): Promise<LiveQuery<Source, T>>
}

export type LiveQueries<Source> = ReturnType<typeof createLiveQueries<Source>>
export type LiveStore<T> = ReturnType<typeof createStore<T>>

/** A query runs for this time after its last component is gone, so that going back shows rows in the first frame. */
const KEEP_MS = 30_000

export function createLiveQueries<Source>(source: Source) {
  // Stores are never removed, because a component may subscribe to a store that it got in an earlier render.
  const stores = new Map<string, LiveStore<unknown>>()
  let isStopped = false
  const open = <T>(query: LiveQuery<Source, T>): Observable<T> => (isStopped ? NEVER : query(source))
  const opened$ = <T>(query: LiveQuery<Source, T> | LazyQuery<Source, T>): Observable<T> =>
    typeof query === 'function'
      ? defer(() => open(query))
      : defer(() => loadUntilThere(() => query.load())).pipe(switchMap(open))
  return {
    /** Returns the store of a query. @param key identifies the query; equal keys share one store */
    store: <T>(key: string, query: LiveQuery<Source, T> | LazyQuery<Source, T>) =>
      cached<string, LiveStore<unknown>>(stores, key, () => createStore(opened$(query))) as LiveStore<T>,
    isReading: () => [...stores.values()].some((store) => store.isReading()),
    /** Prevents further queries, because the database is closing. Running queries end when the database closes. */
    stop: () => void (isStopped = true),
  }
}

const toNotify = new Set<() => void>()

/** Calls `notify` in the next task, with the calls of other stores, so that one write renders the screen once. */
function notifySoon(notify: () => void): void {
  if (toNotify.size === 0)
    setTimeout(() => {
      const all = [...toNotify]
      toNotify.clear()
      for (const each of all) each()
    }, 0)
  toNotify.add(notify)
}

/** Creates a store that runs its query while it has listeners. A second unsubscribe of one listener does nothing. */
function createStore<T>(query$: Observable<T>) {
  const listeners = new Set<() => void>()
  // `value` is what the components show, `latest` what the query has emitted last.
  let value: T | undefined
  let latest: T | undefined
  let subscription: Subscription | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  const notify = () => {
    value = latest
    for (const listener of listeners) listener()
  }
  const start = () =>
    query$.subscribe((next) => {
      latest = next
      if (value === undefined) notify()
      else notifySoon(notify)
    })
  const end = () => {
    toNotify.delete(notify)
    subscription?.unsubscribe()
    subscription = undefined
    value = undefined
  }
  const endLater = () => void (idle = setTimeout(end, KEEP_MS))
  const begin = () => {
    clearTimeout(idle)
    subscription ??= start()
  }
  return {
    subscribe(listener: () => void) {
      const own = () => listener()
      begin()
      listeners.add(own)
      return () => {
        if (listeners.delete(own) && listeners.size === 0) endLater()
      }
    },
    get() {
      // React reads the value before it subscribes. The query starts here, so that it runs during the first render.
      if (!subscription) {
        begin()
        endLater()
      }
      return value
    },
    /** True if a component subscribes and no value has arrived yet. */
    isReading: () => listeners.size > 0 && value === undefined,
  }
}
