/**
 * The only place that converts dates: strings at rest, Temporal in hand, the zone Asia/Tokyo.
 * A date is `YYYY-MM-DD`, a date-time ISO 8601 with `Z` or an offset. Texts are built from hours, days and months, not by
 * Intl, so that they are the same in every browser. A text that is no date comes back as ''
 * where it would be shown; arithmetic on it is a bug and throws. `Temporal` is the browser's own, or the polyfill
 * that the app loads first where there is none (app/start).
 */
const ZONE = 'Asia/Tokyo'
const WEEKDAYS = ['月', '火', '水', '木', '金', '土', '日'] as const

const two = (n: number) => String(n).padStart(2, '0')

const zonedAt = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ZONE)

function zoned(iso: string | null): Temporal.ZonedDateTime | null {
  const ms = iso ? Date.parse(iso) : Number.NaN
  return Number.isNaN(ms) ? null : zonedAt(ms)
}

const plain = (date: string) => (isIsoDate(date) ? Temporal.PlainDate.from(date) : null)

const weekday = (day: Temporal.PlainDate) => `（${WEEKDAYS[day.dayOfWeek - 1] ?? ''}）`
const hourMinute = ({ hour, minute }: Pick<Temporal.ZonedDateTime, 'hour' | 'minute'>) =>
  `${two(hour)}:${two(minute)}`

/** Whether a text is a `YYYY-MM-DD` that exists. */
export function isIsoDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    Temporal.PlainDate.from(text)
    return true
  } catch {
    return false
  }
}

/**
 * The day it is in Tokyo.
 * @param nowMs epoch milliseconds
 * @returns `YYYY-MM-DD`
 */
export const tokyoToday = (nowMs: number): string => zonedAt(nowMs).toPlainDate().toString()

/**
 * @param date `YYYY-MM-DD`
 * @param days may be negative
 * @throws RangeError when `date` is none
 */
export const addDays = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString()

/**
 * Days from `from` to `to`, negative when `to` is earlier.
 * @throws RangeError when one is no date
 */
export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days

/** `2026-11-20T08:56:00+09:00`, to the second: what a save writes. */
export function toTokyoIso(nowMs: number): string {
  const at = zonedAt(nowMs)
  return `${at.toPlainDate().toString()}T${hourMinute(at)}:${two(at.second)}+09:00`
}

/** `20261120085600123`: 17 digits to the millisecond, for names of files. */
export function fileStamp(nowMs: number): string {
  const at = zonedAt(nowMs)
  const day = at.toPlainDate().toString().replaceAll('-', '')
  return `${day}${two(at.hour)}${two(at.minute)}${two(at.second)}${String(at.millisecond).padStart(3, '0')}`
}

/**
 * The moment of a wall-clock time in Tokyo.
 * @param time `HH:mm`
 * @returns ISO 8601 with +09:00
 */
export const isoAt = (date: string, time: string): string => `${date}T${time}:00+09:00`

/** Tokyo has known no summer time since 1952. */
const TOKYO_AHEAD_MS = 9 * 3_600_000

/** `09:00`; '' for null or what is no date-time. A list asks for two a row: Temporal, as a polyfill, would be felt. */
export function timeText(iso: string | null): string {
  const at = new Date(Date.parse(iso ?? '') + TOKYO_AHEAD_MS)
  return Number.isNaN(at.getTime()) ? '' : hourMinute({ hour: at.getUTCHours(), minute: at.getUTCMinutes() })
}

/** The two times of a range, each `09:00` or ''. Board and VisitRow set the 〜 between them. */
export const timeRange = (startIso: string | null, endIso: string | null) => ({
  start: timeText(startIso),
  end: timeText(endIso),
})

/** `2026-11-20` → `11月20日（金）` */
export function dayText(date: string): string {
  const day = plain(date)
  return day ? `${day.month}月${day.day}日${weekday(day)}` : ''
}

/** `2026-11-20` → `2026年11月20日（金）` */
export const fullDayText = (date: string): string => {
  const day = plain(date)
  return day ? `${day.year}年${dayText(date)}` : ''
}

/** `2026-11-20` → `11/20（金）` */
export function shortDayText(date: string): string {
  const day = plain(date)
  return day ? `${day.month}/${day.day}${weekday(day)}` : ''
}

/** `2026-08-27` → `2026/08/27（木）` */
export function pastDayText(date: string): string {
  const day = plain(date)
  return day ? `${date.replaceAll('-', '/')}${weekday(day)}` : ''
}

/** `11/20 08:21`, in Tokyo; '' for null or what is no date-time. */
export function shortStampText(iso: string | null): string {
  const at = zoned(iso)
  return at ? `${two(at.month)}/${two(at.day)} ${hourMinute(at)}` : ''
}

/** `11月20日 10:24`, in Tokyo; '' for null or what is no date-time. */
export function monthDayTimeText(iso: string | null): string {
  const at = zoned(iso)
  return at ? `${at.month}月${at.day}日 ${hourMinute(at)}` : ''
}

/** `2026/11/20 09:31`, in Tokyo; '' for null or what is no date-time. */
export function stampText(iso: string | null): string {
  const at = zoned(iso)
  return at ? `${at.year}/${shortStampText(iso)}` : ''
}
