/** Moments and days as both the app and the sync write them. `src/demo-crm` has its own, so that it can bear witness. */

/** ISO 8601 in UTC. @param ms epoch */
export const isoOf = (ms: number) => new Date(ms).toISOString()
