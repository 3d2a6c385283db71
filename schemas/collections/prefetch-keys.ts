/**
 * Keys of the rows that record which lists were read from the CRM. They are in the collection of the screens' orders
 * to read, as the kind `prefetch` (`interest.ts`).
 */

export const prefetchKey = (collection: string, owner: string) => `prefetch_${collection}_${owner}`

/**
 * The read of all requests of the window (the days on the device) is recorded like the read of a list, with this
 * name.
 */
export const WINDOW_LIST = { collection: 'requests', owner: 'window' }
/** Separates the days in the field `because` of the row for WINDOW_LIST. On these days a row did not parse. */
export const UNREAD_DAYS_BY = ','

/** Key range of the rows of kind `prefetch`. The character after `_` is '`'. */
export const PREFETCH_KEYS = { from: 'prefetch_', before: 'prefetch`' }
