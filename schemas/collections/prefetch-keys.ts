/**
 * Keys of the rows in which the pull records that it has read a list. The rows are fetch requests of kind `prefetch`
 * (`interest.ts`).
 */

export const prefetchKey = (collection: string, owner: string) => `prefetch_${collection}_${owner}`

/**
 * Stands for the requests of the window, the days on the device. The read of the window is recorded like that of a
 * list.
 */
export const WINDOW_LIST = { collection: 'requests', owner: 'window' }
/** Separator of the days in the field `because` of the window's row: days with a row that did not parse. */
export const UNREAD_DAYS_BY = ','

/** Key range of the fetch requests of kind `prefetch`. The character after `_` is '`'. */
export const PREFETCH_KEYS = { from: 'prefetch_', before: 'prefetch`' }
