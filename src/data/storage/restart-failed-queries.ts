/**
 * A query goes on after a read that failed. RxDB's own has ended for good with its first error, for everyone who asks the same,
 * until the page is loaded anew (sync RULES, trap 21).
 *
 *     the read is broken off for too long ─→ the query begins anew ─┬─ who asks once is told
 *                                                                   └─ who looks on is not: it is asked again, later each time
 *
 * A query whose database closes (logout, lock) ends there: what it is reading then says nothing any more, neither rows nor an
 * error (trap 26).
 *
 * And who is asked for twice in one `findByIds` is asked for once: RxDB answers with two of it, takes one of them away when it
 * is removed, and gives the other for as long as the query is remembered (trap 24).
 */
import { addRxPlugin, type RxCollection, type RxPlugin } from 'rxdb/plugins/core'
import {
  endWith,
  ignoreElements,
  merge,
  NEVER,
  retry,
  takeUntil,
  throwError,
  timer,
  type MonoTypeOperatorFunction,
  type Observable,
  type RetryConfig,
} from 'rxjs'
import { isBrokenOff } from './read-again.ts'

const FIRST_MS = 1_000
const LONGEST_MS = 30_000

/** What is private of RxDB's query. */
interface Query {
  _latestChangeEvent: number
  _ensureEqualQueue: Promise<boolean>
  _execOverDatabase: (rerunCount?: number) => Promise<unknown>
  readonly collection: Pick<RxCollection, 'database'>
  readonly $: Observable<unknown>
  lasting$?: Observable<unknown>
}

const plugin: RxPlugin = {
  name: 'restart-failed-queries',
  rxdb: true,
  prototypes: {
    RxQuery(prototype: Query) {
      begunAnew(prototype)
      lookedOn(prototype)
    },
    RxCollection: askedOnce,
  },
}

/** With the versions that it was tested with. */
export const restartFailedQueries = (): void => addRxPlugin(plugin)

function begunAnew(prototype: Query): void {
  const { _execOverDatabase: run } = prototype
  prototype._execOverDatabase = function (this: Query, rerunCount) {
    return run.call(this, rerunCount).catch((error: unknown) => {
      // nothing counts as read, and nobody waits for what has failed
      this._latestChangeEvent = -1
      this._ensureEqualQueue = Promise.resolve(false)
      throw error
    })
  }
}

function askedOnce(prototype: Pick<RxCollection, 'findByIds'>): void {
  const { findByIds } = prototype
  prototype.findByIds = function (this: RxCollection, ids) {
    return findByIds.call(this, [...new Set(ids)])
  }
}

function lookedOn(prototype: Query): void {
  const once = Object.getOwnPropertyDescriptor(prototype, '$')?.get
  if (!once) return
  Object.defineProperty(prototype, '$', {
    configurable: true,
    get(this: Query) {
      return (this.lasting$ ??= (once.call(this) as Query['$']).pipe(lasting(this.collection)))
    },
  })
}

/**
 * A read that is made again while somebody subscribes to it and its database is open. From the moment that RxDB closes it,
 * before any store is, it is silent: no value, no error, and no end, as RxDB's own query has none.
 */
export const lasting =
  <T>({ database }: Pick<RxCollection, 'database'>): MonoTypeOperatorFunction<T> =>
  (read$) =>
    merge(
      read$.pipe(retry(LATER), takeUntil(database.eventBulks$.pipe(ignoreElements(), endWith(null)))),
      NEVER,
    )

const LATER: RetryConfig = {
  delay: (error: unknown, times: number) =>
    isBrokenOff(error) ? timer(Math.min(LONGEST_MS, FIRST_MS * 2 ** (times - 1))) : throwError(() => error),
  resetOnSuccess: true,
}
