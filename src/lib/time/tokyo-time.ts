/**
 * Dates for the whole app, by Temporal in Asia/Tokyo (native or a polyfill). Stored dates are `YYYY-MM-DD` or
 * ISO 8601. Other languages than Japanese name the month. An invalid date displays as '', and arithmetic throws.
 */
import { TOKYO_AHEAD_MS, TOKYO_OFFSET } from '#schemas/instant.ts'
import { cached } from '#lib/cached.ts'
import { LANGUAGES, shownLanguage } from '#lib/language.ts'

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

const formats = new Map<string, Intl.DateTimeFormat>()

/** Example: `Fri, Nov 20, 2026`. Null if the language on screen is Japanese. */
function foreignDate(day: Temporal.PlainDate, more: Intl.DateTimeFormatOptions): string | null {
  const { html } = LANGUAGES[shownLanguage()]
  if (html === 'ja') return null
  const key = `${html} ${Object.keys(more).join(' ')}`
  const options = { day: 'numeric', month: 'short', timeZone: 'UTC', ...more } as const
  const format = cached(formats, key, () => new Intl.DateTimeFormat(html, options))
  return format.format(Date.UTC(day.year, day.month - 1, day.day))
}

const WITH_WEEKDAY = { weekday: 'short' } as const
const WITH_YEAR = { year: 'numeric' } as const

/** True for `YYYY-MM-DD` of a day that exists. */
export function isIsoDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    Temporal.PlainDate.from(text)
    return true
  } catch {
    return false
  }
}

/** Today's date in Tokyo, `YYYY-MM-DD`. @param nowMs epoch ms */
export const tokyoToday = (nowMs: number): string =>
  new Date(nowMs + TOKYO_AHEAD_MS).toISOString().slice(0, 10)

/** @param date `YYYY-MM-DD` @param days may be negative @throws RangeError if `date` is invalid */
export const addDays = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString()

/** Days from `from` to `to`; negative if `to` is earlier. @throws RangeError if a date is invalid */
export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days

/** Example: `2026-11-20T08:56:00+09:00` */
export function toTokyoIso(nowMs: number): string {
  const at = zonedAt(nowMs)
  return `${at.toPlainDate().toString()}T${hourMinute(at)}:${two(at.second)}${TOKYO_OFFSET}`
}

/** Tokyo time for file names. Example: `20261120085600123` */
export function fileStamp(nowMs: number): string {
  const at = zonedAt(nowMs)
  const day = at.toPlainDate().toString().replaceAll('-', '')
  return `${day}${two(at.hour)}${two(at.minute)}${two(at.second)}${String(at.millisecond).padStart(3, '0')}`
}

/** Tokyo time as ISO 8601 with +09:00. @param time `HH:mm` */
export const isoAt = (date: string, time: string): string => `${date}T${time}:00${TOKYO_OFFSET}`

/** Example: `09:00`; '' if invalid. Avoids the slow Temporal polyfill, because lists call it twice per row. */
export function timeText(iso: string | null): string {
  const at = new Date(Date.parse(iso ?? '') + TOKYO_AHEAD_MS)
  return Number.isNaN(at.getTime()) ? '' : hourMinute({ hour: at.getUTCHours(), minute: at.getUTCMinutes() })
}

/** The date in Tokyo, `YYYY-MM-DD`; '' if invalid. Avoids the slow Temporal polyfill. */
export function tokyoDay(iso: string | null): string {
  const ms = Date.parse(iso ?? '')
  return Number.isNaN(ms) ? '' : tokyoToday(ms)
}

/** Both times of a range, each like `09:00` or ''. */
export const timeRange = (startIso: string | null, endIso: string | null) => ({
  start: timeText(startIso),
  end: timeText(endIso),
})

const DAYS_WITHOUT_YEAR = 180

const isNear = (date: string, today: string) =>
  isIsoDate(date) && Math.abs(daysBetween(today, date)) <= DAYS_WITHOUT_YEAR

/** `2026-01-04` → `2026年01月04日（日）`, with zeros as in spec 9. */
export function fullDayText(date: string): string {
  const day = plain(date)
  if (!day) return ''
  const japanese = `${day.year}年${two(day.month)}月${two(day.day)}日${weekday(day)}`
  return foreignDate(day, { ...WITH_WEEKDAY, ...WITH_YEAR }) ?? japanese
}

/** `2026-11-20` → `11月20日（金）`, with the year if far from today. @param today `YYYY-MM-DD` */
export function dayText(date: string, today: string): string {
  const day = plain(date)
  if (!day) return ''
  if (!isNear(date, today)) return fullDayText(date)
  return foreignDate(day, WITH_WEEKDAY) ?? `${day.month}月${day.day}日${weekday(day)}`
}

/** `2026-11-20` → `11/20（金）`, with the year if far from today. */
export function shortDayText(date: string, today: string): string {
  const day = plain(date)
  if (!day) return ''
  if (!isNear(date, today)) return pastDayText(date)
  return foreignDate(day, WITH_WEEKDAY) ?? `${day.month}/${day.day}${weekday(day)}`
}

/** `11/20（金）〜11/26（木）`, or a single date. Both dates show the year if one is far from today or their years differ. */
export function dayRangeText(from: string, to: string, today: string): string {
  if (from === to) return shortDayText(from, today)
  const years = new Set([from, to].filter(isIsoDate).map((date) => date.slice(0, 4)))
  const far = [from, to].some((date) => isIsoDate(date) && !isNear(date, today))
  const text = far || years.size > 1 ? pastDayText : (date: string) => shortDayText(date, today)
  return `${text(from)}〜${text(to)}`
}

/** `2026-08-27` → `2026/08/27（木）` */
export function pastDayText(date: string): string {
  const day = plain(date)
  if (!day) return ''
  const japanese = `${date.replaceAll('-', '/')}${weekday(day)}`
  return foreignDate(day, { ...WITH_WEEKDAY, ...WITH_YEAR }) ?? japanese
}

/** `11/20 08:21` in Tokyo, with the year if far from today; '' for null or an invalid date-time. */
export function shortStampText(iso: string | null, today: string): string {
  const at = zoned(iso)
  if (!at || !isNear(tokyoDay(iso), today)) return stampText(iso)
  return `${foreignDate(at.toPlainDate(), {}) ?? `${two(at.month)}/${two(at.day)}`} ${hourMinute(at)}`
}

/** `11月20日 10:24` in Tokyo, with the year if far from today; '' for null or an invalid date-time. */
export function monthDayTimeText(iso: string | null, today: string): string {
  const at = zoned(iso)
  if (!at) return ''
  const isFar = !isNear(at.toPlainDate().toString(), today)
  if (isFar) return stampText(iso)
  return `${foreignDate(at.toPlainDate(), {}) ?? `${at.month}月${at.day}日`} ${hourMinute(at)}`
}

/** `2026/11/20 09:31` in Tokyo; '' for null or an invalid date-time. */
export function stampText(iso: string | null): string {
  const at = zoned(iso)
  if (!at) return ''
  const japanese = `${at.year}/${two(at.month)}/${two(at.day)}`
  return `${foreignDate(at.toPlainDate(), WITH_YEAR) ?? japanese} ${hourMinute(at)}`
}

/** `09:00` on the working day, and `11/21 00:05` on another day, because the time alone would mislead. */
export const timeOn = (iso: string | null, workingDate: string, today: string): string =>
  tokyoDay(iso) === workingDate ? timeText(iso) : shortStampText(iso, today)

/** `11月21日（土）00:05` for use in a sentence; '' for null or an invalid date-time. */
export const momentText = (iso: string | null, today: string): string =>
  [dayText(tokyoDay(iso), today), timeText(iso)]
    .join(LANGUAGES[shownLanguage()].html === 'ja' ? '' : ' ')
    .trim()
