import { TOKYO_AHEAD_MS } from '#schemas/instant.ts'

const DAY_MS = 86_400_000

/**
 * The calendar day in Tokyo (UTC+9, no daylight saving), shifted by `days`: YYYY-MM-DD.
 * @param epochMs wall clock
 */
export const tokyoDay = (epochMs: number, days = 0) =>
  new Date(epochMs + TOKYO_AHEAD_MS + days * DAY_MS).toISOString().slice(0, 10)
