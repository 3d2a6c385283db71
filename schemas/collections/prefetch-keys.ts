/** By which keys the device knows that a list was read (`prefetch.ts`). */

/** The key of the interest that says a list was read. */
export const prefetchKey = (collection: string, owner: string) => `prefetch_${collection}_${owner}`

/** The rows of the window's days, as a list that was read: the pull says it like the lists of records. */
export const WINDOW_LIST = { collection: 'requests', owner: 'window' }
/** Its `because`: the days with a row that could not be read. */
export const UNREAD_DAYS_BY = ','

/** Where these keys lie among those of all interests: '`' is what sorts after '_'. */
export const PREFETCH_KEYS = { from: 'prefetch_', before: 'prefetch`' }
