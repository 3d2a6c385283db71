/**
 * Keys of the fetch requests that record which lists the pull has read (`prefetch.ts`, kind `prefetch` of
 * `interest.ts`).
 */

/** Key of the fetch request that records that a list was read. */
export const prefetchKey = (collection: string, owner: string) => `prefetch_${collection}_${owner}`

/** The requests in the device's window of days. The read of the window is recorded like the read of a list. */
export const WINDOW_LIST = { collection: 'requests', owner: 'window' }
/** Separator in the field `because` of that record, which lists the days with an unreadable row. */
export const UNREAD_DAYS_BY = ','

/** Range of these keys among all fetch requests; '`' sorts after '_'. */
export const PREFETCH_KEYS = { from: 'prefetch_', before: 'prefetch`' }
