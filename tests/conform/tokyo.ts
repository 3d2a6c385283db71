/** Tokyo's calendar, UTC+9 all year, kept apart from the app's so that it can bear witness. */
const DAY_MS = 86_400_000
const TOKYO_MS = 9 * 3_600_000

/** @param at epoch ms @returns `YYYY-MM-DD` in Tokyo */
export const tokyoDay = (at: number) => new Date(at + TOKYO_MS).toISOString().slice(0, 10)
/** @param at epoch ms @returns to the second, with `+09:00` */
export const tokyoTime = (at: number) => `${new Date(at + TOKYO_MS).toISOString().slice(0, 19)}+09:00`
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
/** A date-time of an answer: with an offset or `Z`. */
export const isMoment = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/.test(text) &&
  !Number.isNaN(Date.parse(text))
/** Whether both are the same moment, whatever their offsets. */
export const sameMoment = (a: string | null, b: string | null) =>
  a !== null && b !== null && isMoment(a) && Date.parse(a) === Date.parse(b)
