/**
 * Keys of the rows that record which lists were read from the CRM. They are stored with the fetch requests, as the kind
 * `prefetch` (`interest.ts`).
 */

export const prefetchKey = (collection: string, owner: string) => `prefetch_${collection}_${owner}`

/**
 * Stands for the list of all requests of the window (the days on the device), whose read is recorded like that of any
 * list.
 */
export const WINDOW_LIST = { collection: 'requests', owner: 'window' }
/** Separates the days in the field `because` of the row for WINDOW_LIST. On these days a row did not parse. */
export const UNREAD_DAYS_BY = ','

/** Key range of the rows of kind `prefetch`. The character after `_` is '`'. */
export const PREFETCH_KEYS = { from: 'prefetch_', before: 'prefetch`' }
