/** Keys of the fetch requests that record which lists were read (`prefetch.ts`). */

/** Key of the fetch request that records that a list was read. */
export const prefetchKey = (collection: string, owner: string) => `prefetch_${collection}_${owner}`

/** The rows of the window, recorded as if they were one list. */
export const WINDOW_LIST = { collection: 'requests', owner: 'window' }
/** Separates the days in its `because`, which lists the days with an unreadable row. */
export const UNREAD_DAYS_BY = ','

/** Range of these keys among all fetch requests; '`' sorts after '_'. */
export const PREFETCH_KEYS = { from: 'prefetch_', before: 'prefetch`' }
