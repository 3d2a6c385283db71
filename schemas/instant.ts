/** Moments and days as both the app and the sync write them. `src/demo-crm` has its own, so that it can bear witness. */

/** Tokyo has known no summer time since 1952. */
export const TOKYO_AHEAD_MS = 9 * 3_600_000
/** The same, as ISO 8601 says it. */
export const TOKYO_OFFSET = '+09:00'

/** ISO 8601 in UTC. @param ms epoch */
export const isoOf = (ms: number) => new Date(ms).toISOString()
