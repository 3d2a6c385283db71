/**
 * An RxDB plugin that restarts live queries after a failed read, because an RxDB query otherwise ends with its first
 * error until the page reloads (sync RULES, trap 21).
 *
 *     read failed for too long ─→ query restarts ─┬─ one-time reads get the error
 *                                                 └─ live subscribers get a retry, later each time
 *
 * When the database closes (logout, lock), its live queries emit neither rows nor an error (trap 26). The plugin also
 * removes duplicate ids from the arguments of `findByIds`, because RxDB would otherwise still return the document after
 * the document is removed (trap 24).
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
import { isBrokenOff } from './connection.ts'

const FIRST_MS = 1_000
const LONGEST_MS = 30_000

/** Private members of RxDB's query that the plugin uses. */
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
      resetAfterFailure(prototype)
      retryLiveQueries(prototype)
    },
    RxCollection: withoutDuplicateIds,
  },
}

/** Installs the plugin. Must be called only with the tested versions of RxDB. */
export const restartFailedQueries = (): void => addRxPlugin(plugin)

function resetAfterFailure(prototype: Query): void {
  const { _execOverDatabase: run } = prototype
  prototype._execOverDatabase = function (this: Query, rerunCount) {
    return run.call(this, rerunCount).catch((error: unknown) => {
      // The query's state is reset, so that the next call reads again.
      this._latestChangeEvent = -1
      this._ensureEqualQueue = Promise.resolve(false)
      throw error
    })
  }
}

function withoutDuplicateIds(prototype: Pick<RxCollection, 'findByIds'>): void {
  const { findByIds } = prototype
  prototype.findByIds = function (this: RxCollection, ids) {
    return findByIds.call(this, [...new Set(ids)])
  }
}

function retryLiveQueries(prototype: Query): void {
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
 * Repeats a failed read while the database is open. Once RxDB begins to close the database, the observable emits no
 * value, no error and no completion.
 */
export const lasting =
  <T>({ database }: Pick<RxCollection, 'database'>): MonoTypeOperatorFunction<T> =>
  (read$) =>
    merge(
      read$.pipe(retry(RETRY), takeUntil(database.eventBulks$.pipe(ignoreElements(), endWith(null)))),
      NEVER,
    )

const RETRY: RetryConfig = {
  delay: (error: unknown, times: number) =>
    isBrokenOff(error) ? timer(Math.min(LONGEST_MS, FIRST_MS * 2 ** (times - 1))) : throwError(() => error),
  resetOnSuccess: true,
}
