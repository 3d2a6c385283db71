/** When and where a photo was taken, and from what that is known: its EXIF where that can be, else the device. */
import type { RawExif } from './exif.ts'
import { isIsoDate, TOKYO_OFFSET } from '#lib/time/tokyo-time.ts'

/** What EXIF says that can be true. */
export interface ExifFacts {
  /** Epoch milliseconds. */
  takenMs: number | null
  /** `latitude,longitude`; empty where there is none. */
  place: string
  /** 1–8, as EXIF counts; 1 is upright. */
  orientation: number
}

/** A camera whose clock was never set says 1970, 1980 or 2000. */
const EARLIEST_MS = Date.parse('2000-01-02T00:00:00Z')
/** Two clocks on one phone may differ a little; a photo from later than that was not taken. */
const AHEAD_MS = 5 * 60_000

/** @param now epoch milliseconds */
export function exifFacts(raw: RawExif, now: number): ExifFacts {
  const isLikely = (ms: number | null) => ms !== null && ms >= EARLIEST_MS && ms <= now + AHEAD_MS
  const takenMs = (raw.times ?? []).map(takenAt).find(isLikely) ?? null
  return {
    takenMs: takenMs === null ? null : Math.min(takenMs, now),
    place: placeOf(raw),
    orientation: orientationOf(raw.orientation),
  }
}

/** `2026:11:20 09:12:34`, as EXIF has it; dashes, ISO 8601, and a zone behind it are written by some phones and programs. */
const TIME =
  /^(\d{4})[:\-/.](\d\d?)[:\-/.](\d\d?)[ T]+(\d\d?)[:\-.](\d\d)(?:[:\-.](\d\d))?(?:[.,]\d+)? *(Z|[+-]\d\d?(?::?\d\d)?)?$/i
const ZONE = /^(?:(Z)|([+-])(\d\d?):?(\d\d)?)$/i
const MAX_ZONE_HOURS = 14

/** The camera's wall clock. One that does not say its zone is taken to be in Japan, where the app's work is. */
function takenAt({ text, zones }: NonNullable<RawExif['times']>[number]): number | null {
  const [, year, month, day, hour, minute, second = '00', zone] = TIME.exec(plain(text)) ?? []
  if (!year || !month || !day || !hour || Number(hour) > 23) return null
  const date = `${year}-${two(month)}-${two(day)}`
  if (!isIsoDate(date)) return null
  const offset = [zone, ...zones].map(zoneOf).find((each) => each !== null) ?? TOKYO_OFFSET
  const ms = Date.parse(`${date}T${two(hour)}:${minute}:${second}${offset}`)
  return Number.isNaN(ms) ? null : ms
}

/** `+09:00`; null for what is no zone on earth. */
function zoneOf(text: unknown): string | null {
  const [all, zulu, sign, hours = '', minutes = '00'] = ZONE.exec(plain(text)) ?? []
  if (all === undefined) return null
  if (zulu) return 'Z'
  const isOnEarth = Number(hours) <= MAX_ZONE_HOURS && Number(minutes) < 60
  return isOnEarth ? `${sign}${two(hours)}:${minutes}` : null
}

/** Cameras fill up what is empty with blanks and zero bytes. */
const plain = (text: unknown) => (typeof text === 'string' ? text.replaceAll('\0', ' ').trim() : '')
const two = (digits: string) => digits.padStart(2, '0')

/** Degrees of the islands of Japan, from the south, north, west and east. */
const JAPAN = { south: 20.2, north: 45.8, west: 122.7, east: 154.2 }

/** A receiver that found nothing writes 0, 0. Without its letters a place is north and east, if that is in Japan. */
function placeOf({ latitude, latitudeRef, longitude, longitudeRef }: RawExif): string {
  const north = degreesOf(latitude, letterOf(latitudeRef, 'NS'), 90)
  const east = degreesOf(longitude, letterOf(longitudeRef, 'EW'), 180)
  if (!north || !east || (north.degrees === 0 && east.degrees === 0)) return ''
  const isInJapan =
    north.degrees >= JAPAN.south &&
    north.degrees <= JAPAN.north &&
    east.degrees >= JAPAN.west &&
    east.degrees <= JAPAN.east
  const isKnown = north.isTold && east.isTold
  return isKnown || isInJapan ? `${north.degrees.toFixed(6)},${east.degrees.toFixed(6)}` : ''
}

/** N, S, E or W; '' where it says none of the two. */
function letterOf(ref: unknown, letters: string): string {
  const first: unknown = Array.isArray(ref) ? ref[0] : ref
  const letter = plain(first).slice(0, 1).toUpperCase()
  return letters.includes(letter) ? letter : ''
}

/** South and west are negative; null for degrees that there are not. */
function degreesOf(value: unknown, letter: string, max: number) {
  if (typeof value !== 'number' || !(Math.abs(value) <= max)) return null
  const isNegative = letter === 'S' || letter === 'W'
  const degrees = letter === '' ? value : Math.abs(value) * (isNegative ? -1 : 1)
  return { degrees, isTold: letter !== '' }
}

/** 1–8; 1 where it says nothing else. A number of a wrong type is a number; several are the first. */
export function orientationOf(value: unknown): number {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === 'number' && Number.isInteger(one) && one >= 1 && one <= 8 ? one : 1
}

/** 写真の記録, ファイルの日時, この端末の時計. */
type TakenFrom = 'exif' | 'file' | 'clock'

/** What the device wrote within this time it wrote when the photo was taken. */
const JUST_NOW_MS = 60_000

/**
 * When a photo was taken: by its EXIF, else when its file was written, else now.
 * @param lastModified of the file, epoch milliseconds; 0 where nobody knows
 */
export function takenWhen(
  { takenMs }: Pick<ExifFacts, 'takenMs'>,
  lastModified: number,
  now: number,
): { ms: number; from: TakenFrom } {
  if (takenMs !== null) return { ms: takenMs, from: 'exif' }
  const isOlder = lastModified > 0 && lastModified < now - JUST_NOW_MS
  return isOlder ? { ms: lastModified, from: 'file' } : { ms: now, from: 'clock' }
}
