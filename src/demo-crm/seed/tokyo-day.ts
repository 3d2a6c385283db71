/** Tokyo's calendar by plain arithmetic (UTC+9), without the app's functions, so that tests find their faults. */
const DAY_MS = 86_400_000
const TOKYO_MS = 9 * 3_600_000

/** Returns the date in Tokyo, `YYYY-MM-DD`. @param at epoch ms */
export const tokyoDay = (at: number) => new Date(at + TOKYO_MS).toISOString().slice(0, 10)
/** Returns ISO 8601 to the second with `+09:00` (crm-contract 2). @param at epoch ms */
export const tokyoTime = (at: number) => `${new Date(at + TOKYO_MS).toISOString().slice(0, 19)}+09:00`
export const atTime = (day: string, time: string) => `${day}T${time}:00+09:00`
/** Days since 1970-01-01. */
export const dayNumber = (day: string) => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS)
export const dayOf = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10)
export const addDays = (day: string, days: number) => dayOf(dayNumber(day) + days)
/** Returns 0 for Monday to 6 for Sunday. @param number days since 1970-01-01 */
export const weekday = (number: number) => (((number + 3) % 7) + 7) % 7

/** Returns the first day of the previous month. Seeded dates count from it, so they change only once a month. */
export const previousMonth = (day: string) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 2, 1)).toISOString().slice(0, 10)
