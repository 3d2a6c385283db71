/**
 * Keys of the rows that record which lists were read from the CRM. They are stored with the fetch requests, as the kind
 * `prefetch` (`interest.ts`).
 */

export const prefetchKey = (collection: string, owner: string) => `prefetch_${collection}_${owner}`

/**
 * Collection and owner under which a read of the window (the days on the device) is recorded, as if the window were a
 * list of records.
 */
export const WINDOW_LIST = { collection: 'requests', owner: 'window' }
/** Separates days in the field `because` of WINDOW_LIST, which lists the days with requests that could not be parsed. */
export const UNREAD_DAYS_BY = ','

/** Key range of the rows of kind `prefetch`. The character after `_` is '`'. */
export const PREFETCH_KEYS = { from: 'prefetch_', before: 'prefetch`' }
