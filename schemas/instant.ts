/** Times and dates for the app and sync. `src/demo-crm` has code of its own, so that the two test each other. */

/** Tokyo has had no daylight saving time since 1952. */
export const TOKYO_AHEAD_MS = 9 * 3_600_000
export const TOKYO_OFFSET = '+09:00'

/** ISO 8601 in UTC of epoch milliseconds. */
export const isoOf = (ms: number) => new Date(ms).toISOString()

/** The calendar day in Tokyo (YYYY-MM-DD) of epoch milliseconds, shifted by `days`. */
export const tokyoDay = (epochMs: number, days = 0) =>
  new Date(epochMs + TOKYO_AHEAD_MS + days * 86_400_000).toISOString().slice(0, 10)
