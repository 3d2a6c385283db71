/** Determines when and where a photo was taken: from EXIF if plausible, otherwise from the device. */
import type { RawExif } from './exif.ts'
import { TOKYO_OFFSET } from '#schemas/instant.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'

export type ExifFacts = { takenMs: number | null; place: string; orientation: number }

/** Earlier times are wrong: a camera whose clock was never set shows 1970, 1980 or 2000. */
const EARLIEST_MS = Date.parse('2000-01-02T00:00:00Z')
/** A time further in the future is wrong. A smaller difference may come from the camera's clock. */
const AHEAD_MS = 5 * 60_000

/** @param now epoch ms */
export function exifFacts(raw: RawExif, now: number): ExifFacts {
  const isLikely = (ms: number | null) => ms !== null && ms >= EARLIEST_MS && ms <= now + AHEAD_MS
  const takenMs = (raw.times ?? []).map(takenAt).find(isLikely) ?? null
  return {
    takenMs: takenMs === null ? null : Math.min(takenMs, now),
    place: placeOf(raw),
    orientation: orientationOf(raw.orientation),
  }
}

/** EXIF time `2026:11:20 09:12:34`. Some phones and programs write dashes or ISO 8601, or append a time zone. */
const TIME =
  /^(\d{4})[:\-/.](\d\d?)[:\-/.](\d\d?)[ T]+(\d\d?)[:\-.](\d\d)(?:[:\-.](\d\d))?(?:[.,]\d+)? *([A-Z+-][A-Z\d:+-]*)?$/i
const BASIC_TIME = /^(\d{4})(\d\d)(\d\d)[ T](\d\d)(\d\d)(\d\d)/i
const ZONE = /^(?:(Z|UTC|GMT)|(JST)|(?:UTC|GMT)?([+-])(\d\d?):?(\d\d)?)$/i
const MAX_ZONE_HOURS = 14

/** Returns the camera's time as epoch ms. A time without a zone counts as Japan time. */
function takenAt({ text, zones }: NonNullable<RawExif['times']>[number]): number | null {
  const [, year, month, day, hour, minute, second = '00', zone] =
    TIME.exec(plain(text).replace(BASIC_TIME, '$1:$2:$3 $4:$5:$6')) ?? []
  if (!year || !month || !day || !hour || Number(hour) > 23) return null
  if (zone !== undefined && !ZONE.test(zone)) return null
  const date = `${year}-${two(month)}-${two(day)}`
  if (!isIsoDate(date)) return null
  const offset = [zone, ...zones].map(zoneOf).find((each) => each !== null) ?? TOKYO_OFFSET
  const ms = Date.parse(`${date}T${two(hour)}:${minute}:${second}${offset}`)
  return Number.isNaN(ms) ? null : ms
}

function zoneOf(text: unknown): string | null {
  const [all, utc, japan, sign, hours = '', minutes = '00'] = ZONE.exec(plain(text)) ?? []
  if (all === undefined) return null
  if (utc) return 'Z'
  if (japan) return TOKYO_OFFSET
  const isOnEarth = Number(hours) <= MAX_ZONE_HOURS && Number(minutes) < 60
  return isOnEarth ? `${sign}${two(hours)}:${minutes}` : null
}

/** Removes the spaces and zero bytes with which cameras fill empty fields. */
const plain = (text: unknown) => (typeof text === 'string' ? text.replaceAll('\0', ' ').trim() : '')
const two = (digits: string) => digits.padStart(2, '0')

const JAPAN = { south: 20.2, north: 45.8, west: 122.7, east: 154.2 }

/** The place, or '' if unknown. 0, 0 means no position. Without N, S, E or W, it counts only in Japan. */
function placeOf({ latitude, latitudeRef, longitude, longitudeRef }: RawExif): string {
  const north = degreesOf(latitude, letterOf(latitudeRef, 'NS'), 90)
  const east = degreesOf(longitude, letterOf(longitudeRef, 'EW'), 180)
  if (!north || !east || (north.degrees === 0 && east.degrees === 0)) return ''
  const isInJapan =
    north.degrees >= JAPAN.south &&
    north.degrees <= JAPAN.north &&
    east.degrees >= JAPAN.west &&
    east.degrees <= JAPAN.east
  return (north.hasLetter && east.hasLetter) || isInJapan
    ? `${north.degrees.toFixed(6)},${east.degrees.toFixed(6)}`
    : ''
}

function letterOf(ref: unknown, letters: string): string {
  const first: unknown = Array.isArray(ref) ? ref[0] : ref
  const letter = plain(first).slice(0, 1).toUpperCase()
  return letters.includes(letter) ? letter : ''
}

function degreesOf(value: unknown, letter: string, max: number) {
  if (typeof value !== 'number' || !(Math.abs(value) <= max)) return null
  const isNegative = letter === 'S' || letter === 'W'
  const degrees = letter === '' ? value : Math.abs(value) * (isNegative ? -1 : 1)
  return { degrees, hasLetter: letter !== '' }
}

/** Returns the EXIF orientation 1–8; 1 if the value is invalid. If the value is a list, the first number counts. */
export function orientationOf(value: unknown): number {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === 'number' && Number.isInteger(one) && one >= 1 && one <= 8 ? one : 1
}

type TakenFrom = 'exif' | 'file' | 'clock'

/** A photo whose file was written less than this time ago was just taken, so the device's clock gives its time. */
const JUST_NOW_MS = 60_000

/** When a photo was taken: by EXIF, else by the file's date (0: unknown), else now. */
export function takenWhen(
  { takenMs }: Pick<ExifFacts, 'takenMs'>,
  lastModified: number,
  now: number,
): { ms: number; from: TakenFrom } {
  if (takenMs !== null) return { ms: takenMs, from: 'exif' }
  const isOlder = lastModified > 0 && lastModified < now - JUST_NOW_MS
  return isOlder ? { ms: lastModified, from: 'file' } : { ms: now, from: 'clock' }
}
