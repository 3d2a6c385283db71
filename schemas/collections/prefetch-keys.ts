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
/** Separates the days in `because` of the row for WINDOW_LIST: the days of which a row did not parse. */
export const UNREAD_DAYS_BY = ','

/** Key range of the rows of kind `prefetch`. The character after `_` is '`'. */
export const PREFETCH_KEYS = { from: 'prefetch_', before: 'prefetch`' }
