/** What a photo may be, and what it is called (spec 3 "Photo item", spec 5, crm-contract 4: unique within its record). */
import { TOKYO_AHEAD_MS, TOKYO_OFFSET } from '#schemas/instant.ts'
import { PHOTO_EXTENSIONS } from '#schemas/limits.ts'
import { coarseName } from '#schemas/stored-text.ts'
import { composed, visibleLine } from '#schemas/text.ts'

export const PHOTO_NAME_MAX = 120
/** In UTF-8, as file systems count. */
const PHOTO_NAME_MAX_BYTES = 255

/** What the first bytes of a photo say it is. */
type PhotoType = 'image/png' | 'image/jpeg'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]

/** By the first bytes, never by the name; null for what is no photo. */
export function photoTypeOf(bytes: ArrayBuffer): PhotoType | null {
  const head = new Uint8Array(bytes, 0, Math.min(PNG.length, bytes.byteLength))
  const begins = (magic: readonly number[]) => magic.every((byte, i) => head[i] === byte)
  return begins(PNG) ? 'image/png' : begins(JPEG) ? 'image/jpeg' : null
}

/** Cut before its type can be known: not even all of the first bytes are there. */
const isStump = (head: Uint8Array) =>
  [PNG, JPEG].some((magic) => head.length < magic.length && head.every((byte, i) => byte === magic[i]))

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
  const plain = visibleLine(composed(original)).replaceAll(UNFIT, '_').replaceAll(/ {2,}/g, ' ')
  const fitting = withExtensionOf(type, plain)
  return isLabelled(fitting) ? shortened(fitting) : shortened(`${timestamp}_${fitting}`)
}

/**
 * The name itself, or with `_2`, `_3`, … where the record has a name that a file store may show in the same way: before its
 * extension, or before the position that it carries.
 */
export function uniquePhotoName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map(coarseName))
  let unique = name
  for (let n = 2; used.has(coarseName(unique)); n += 1)
    unique = isLabelled(name) ? shortened(name, `${n}_`) : shortened(name, `_${n}`)
  return unique
}

/** True if two names cannot be told apart in every file store. */
export const isSamePhotoName = (one: string, other: string): boolean => coarseName(one) === coarseName(other)

/**
 * Why a file is not taken: ec00015 (no photo by its content, whatever its name is) or ec00016 (too big); null when it is.
 * @param head its first bytes
 * @param maxMb megabytes, from the configuration
 */
export function photoProblem(
  { head, size }: { head: ArrayBuffer; size: number },
  maxMb: number,
): 'ec00015' | 'ec00016' | null {
  if (!photoTypeOf(head) && !isStump(new Uint8Array(head))) return 'ec00015'
  return size > maxMb * 1024 * 1024 ? 'ec00016' : null
}

/** What a file name cannot hold, and what file stores replace. */
const UNFIT = /[/\\:*?"<>|#%&+]/g

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

/**
 * The name within both limits: cut before its extension, or before the position and the moment that it carries.
 * @param added put where it is cut
 */
function shortened(name: string, added = ''): string {
  const label = LABELLED.exec(name)
  const end = label ? label.index + labelBegin(label[0]) : name.length - partsOf(name).extension.length
  const [head, tail] = [name.slice(0, end), `${added}${name.slice(end)}`]
  let kept = ''
  for (const character of head) {
    const next = kept + character
    if (next.length + tail.length > PHOTO_NAME_MAX || bytesOf(next + tail) > PHOTO_NAME_MAX_BYTES) break
    kept = next
  }
  return kept + tail
}

/** Where the first number of the label begins: a sign that is none of it may come before. */
const labelBegin = (matched: string) => matched.search(/[-\d]/)

const bytesOf = (text: string) => new TextEncoder().encode(text).length
