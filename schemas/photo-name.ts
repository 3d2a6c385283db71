/** What a photo may be, and what it is called (spec 3 "Photo item", spec 5, crm-contract 4: unique within its record). */
import { TOKYO_AHEAD_MS, TOKYO_OFFSET } from './instant.ts'
import { PHOTO_EXTENSIONS } from './limits.ts'

export const PHOTO_NAME_MAX = 120

/** What the first bytes of a photo say it is. */
export type PhotoType = 'image/png' | 'image/jpeg'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]

/** By the first bytes, never by the name; null for what is no photo. */
export function photoTypeOf(bytes: ArrayBuffer): PhotoType | null {
  const head = new Uint8Array(bytes, 0, Math.min(PNG.length, bytes.byteLength))
  const begins = (magic: readonly number[]) => magic.every((byte, i) => head[i] === byte)
  return begins(PNG) ? 'image/png' : begins(JPEG) ? 'image/jpeg' : null
}

/** A position and a moment to the millisecond, in either order, before the extension. */
const LABELLED =
  /(?:^|[^\d.-])(?:(-?\d{1,2}\.\d+)[_,](-?\d{1,3}\.\d+)_\d{17}|\d{17}_(-?\d{1,2}\.\d+)[_,](-?\d{1,3}\.\d+))\.(?:png|jpe?g)$/i

/** `latitude,longitude` of a name that carries them with a 17-digit timestamp; empty where it does not. */
export function placeIn(name: string): string {
  const [, latitude, longitude, latitudeAfter, longitudeAfter] = LABELLED.exec(name) ?? []
  const [north, east] = [latitude ?? latitudeAfter, longitude ?? longitudeAfter]
  if (north === undefined || east === undefined) return ''
  return Math.abs(Number(north)) <= 90 && Math.abs(Number(east)) <= 180 ? `${north},${east}` : ''
}

/** Whether a name carries latitude, longitude and a 17-digit timestamp: such a name is kept. */
export const isLabelled = (name: string): boolean => placeIn(name) !== ''

/** The 17 digits of a name, which sort by time; empty where it has none. */
export const timestampIn = (name: string) => /(?<!\d)\d{17}(?!\d)/.exec(name)?.[0] ?? ''

const MILLIS = 1_000

/**
 * The timestamp for a name. EXIF tells whole seconds, and an iPhone calls each photo `image.jpg`: two phones at one record
 * would give one name to two photos of one second, and by its name a photo is found again (crm-contract 4). So a name without
 * a number of its own gets milliseconds that are made of the photo's key.
 */
export function timestampFor(original: string, timestamp: string, key: string): string {
  if (!timestamp.endsWith('000') || /\d/.test(original)) return timestamp
  const digits = Array.from(key).reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % MILLIS, 7)
  return `${timestamp.slice(0, -3)}${String(digits).padStart(3, '0')}`
}

const STAMP = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/

/** The moment that these digits say, as ISO 8601: a name is all that the file store has of when a photo was taken. */
export function takenIn(name: string): string {
  const [, year, month, day, hour, minute, second] = STAMP.exec(timestampIn(name)) ?? []
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const moment = `${text}${TOKYO_OFFSET}`
  const ms = Date.parse(moment)
  const isMoment = !Number.isNaN(ms) && new Date(ms + TOKYO_AHEAD_MS).toISOString().startsWith(text)
  return isMoment ? moment : ''
}

/**
 * The name a photo is stored under: kept where it is labelled, else `<timestamp>_<name>`, with the extension of what
 * the bytes are, and without what a file name cannot hold.
 * @param timestamp 17 digits, `yyyyMMddHHmmssSSS`
 */
export function photoName(original: string, timestamp: string, type: PhotoType): string {
  const plain = Array.from(original.normalize('NFC'), (sign) => (isUnfit(sign) ? '_' : sign)).join('')
  const fitting = withExtensionOf(type, plain)
  return isLabelled(fitting) ? fitting : shortened(`${timestamp}_${fitting}`)
}

/** The name itself, or with `_2`, `_3`, … before its extension where the record has that name already. */
export function uniquePhotoName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((each) => each.toLowerCase()))
  const { stem, extension } = partsOf(name)
  let unique = name
  for (let n = 2; used.has(unique.toLowerCase()); n += 1) unique = `${stem}_${n}${extension}`
  return unique
}

/**
 * Why a file is not taken: ec00015 (no photo, by name or by content) or ec00016 (too big); null when it is.
 * @param maxMb megabytes, from the configuration
 */
export function photoProblem(
  { name, bytes }: { name: string; bytes: ArrayBuffer },
  maxMb: number,
): 'ec00015' | 'ec00016' | null {
  const extension = partsOf(name).extension.slice(1).toLowerCase()
  if (!PHOTO_EXTENSIONS.some((each) => each === extension) || !photoTypeOf(bytes)) return 'ec00015'
  return bytes.byteLength > maxMb * 1024 * 1024 ? 'ec00016' : null
}

const isUnfit = (sign: string) => sign < ' ' || sign === '\u007F' || '/\\:*?"<>|'.includes(sign)

function partsOf(name: string) {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? { stem: name.slice(0, dot), extension: name.slice(dot) } : { stem: name, extension: '' }
}

function withExtensionOf(type: PhotoType, name: string): string {
  const { stem, extension } = partsOf(name)
  const fits = type === 'image/png' ? /^\.png$/i : /^\.jpe?g$/i
  if (fits.test(extension)) return name
  const known = PHOTO_EXTENSIONS.some((each) => `.${each}` === extension.toLowerCase())
  return `${known ? stem : name}${type === 'image/png' ? '.png' : '.jpg'}`
}

function shortened(name: string): string {
  const { stem, extension } = partsOf(name)
  return (
    Array.from(stem)
      .slice(0, PHOTO_NAME_MAX - extension.length)
      .join('') + extension
  )
}
