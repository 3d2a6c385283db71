/** When and where a photo was taken, and from what that is known: its EXIF where that can be, else the device. */
import type { RawExif } from './exif.ts'
import { isIsoDate, TOKYO_OFFSET } from './tokyo-time.ts'

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
  const takenMs = takenAt(raw)
  const isLikely = takenMs !== null && takenMs >= EARLIEST_MS && takenMs <= now + AHEAD_MS
  return {
    takenMs: isLikely ? Math.min(takenMs, now) : null,
    place: placeOf(raw),
    orientation: orientationOf(raw.orientation),
  }
}

/** The camera's wall clock. One that does not say its zone is taken to be in Japan, where the app's work is. */
function takenAt({ dateTime, offset }: RawExif): number | null {
  const [, year, month, day, time] =
    /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(typeof dateTime === 'string' ? dateTime : '') ?? []
  const date = `${year}-${month}-${day}`
  if (!isIsoDate(date)) return null
  const zone =
    typeof offset === 'string' && /^[+-](?:0\d|1[0-4]):[0-5]\d$/.test(offset) ? offset : TOKYO_OFFSET
  const ms = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(ms) ? null : ms
}

/** A receiver that found nothing writes 0, 0. */
function placeOf({ latitude, longitude }: RawExif): string {
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) return ''
  return latitude === 0 && longitude === 0 ? '' : `${latitude.toFixed(6)},${longitude.toFixed(6)}`
}

const isWithin = (degrees: unknown, max: number): degrees is number =>
  typeof degrees === 'number' && Math.abs(degrees) <= max

/** 1–8; 1 where it says nothing else. */
export const orientationOf = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 8 ? value : 1

/** 写真の記録, ファイルの日時, この端末の時計. */
export type TakenFrom = 'exif' | 'file' | 'clock'

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
