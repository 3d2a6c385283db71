/** Which files are photos, and how they are named (spec 3, 5). A name is unique within its record (crm-contract 4). */
import { TOKYO_AHEAD_MS, TOKYO_OFFSET } from '#schemas/instant.ts'
import { PHOTO_EXTENSIONS } from '#schemas/limits.ts'
import { coarseName } from '#schemas/stored-text.ts'
import { composed, visibleLine } from '#schemas/text.ts'

export const PHOTO_NAME_MAX = 120
/** Maximum length in bytes of UTF-8, which file systems limit. */
const PHOTO_NAME_MAX_BYTES = 255
type PhotoType = 'image/png' | 'image/jpeg'
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]

/** The type of a file by its first bytes; null if the file is no photo. The file's name does not matter. */
export function photoTypeOf(bytes: ArrayBuffer): PhotoType | null {
  const head = new Uint8Array(bytes, 0, Math.min(PNG.length, bytes.byteLength))
  const begins = (magic: readonly number[]) => magic.every((byte, i) => head[i] === byte)
  return begins(PNG) ? 'image/png' : begins(JPEG) ? 'image/jpeg' : null
}

const isTruncated = (head: Uint8Array) =>
  [PNG, JPEG].some((magic) => head.length < magic.length && head.every((byte, i) => byte === magic[i]))

/** Matches the end of a name: a position and a 17-digit timestamp in either order, then the extension. */
const LABELLED =
  /(?:^|[^\d.-])(?:(-?\d{1,2}\.\d+)[_,](-?\d{1,3}\.\d+)_\d{17}|\d{17}_(-?\d{1,2}\.\d+)[_,](-?\d{1,3}\.\d+))\.(?:png|jpe?g)$/i

/** `latitude,longitude` in a name that has a position and a 17-digit timestamp; '' for any other name. */
export function placeIn(name: string): string {
  const [, latitude, longitude, latitudeAfter, longitudeAfter] = LABELLED.exec(name) ?? []
  const [north, east] = [latitude ?? latitudeAfter, longitude ?? longitudeAfter]
  if (north === undefined || east === undefined) return ''
  return Math.abs(Number(north)) <= 90 && Math.abs(Number(east)) <= 180 ? `${north},${east}` : ''
}

/** True if the name already has a position and a 17-digit timestamp, so that it is not changed. */
export const isLabelled = (name: string): boolean => placeIn(name) !== ''

/** The 17-digit timestamp in a name; '' if there is none. Timestamps sort by time. */
export const timestampIn = (name: string) => /(?<!\d)\d{17}(?!\d)/.exec(name)?.[0] ?? ''
const MILLIS = 1_000

/**
 * The timestamp for a photo's name, which must identify the photo (crm-contract 4). EXIF times are whole seconds and
 * every iPhone photo is `image.jpg`, so milliseconds derived from the photo's key replace `000`.
 */
export function timestampFor(original: string, timestamp: string, key: string): string {
  if (!timestamp.endsWith('000') || /\d/.test(original)) return timestamp
  const digits = Array.from(key).reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % MILLIS, 7)
  return `${timestamp.slice(0, -3)}${String(digits).padStart(3, '0')}`
}

const STAMP = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/

/** The time in a photo's name, ISO 8601; '' if there is none. The file store has no other time of the photo. */
export function takenIn(name: string): string {
  const [, year, month, day, hour, minute, second] = STAMP.exec(timestampIn(name)) ?? []
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const moment = `${text}${TOKYO_OFFSET}`
  const ms = Date.parse(moment)
  const isMoment = !Number.isNaN(ms) && new Date(ms + TOKYO_AHEAD_MS).toISOString().startsWith(text)
  return isMoment ? moment : ''
}

/**
 * The stored name of a photo: its own name if that has a position and a timestamp, otherwise `<timestamp>_<name>`.
 * The bytes decide the extension.
 * @param timestamp 17 digits, `yyyyMMddHHmmssSSS`
 */
export function photoName(original: string, timestamp: string, type: PhotoType): string {
  const plain = visibleLine(composed(original)).replaceAll(UNFIT, '_').replaceAll(/ {2,}/g, ' ')
  const fitting = withExtensionOf(type, plain)
  return isLabelled(fitting) ? shortened(fitting) : shortened(`${timestamp}_${fitting}`)
}

/** The name of a photo's copy with 黒板・書き込み, always a JPEG. */
export function markedPhotoName(name: string): string {
  const jpeg = withExtensionOf('image/jpeg', name)
  return shortened(jpeg, isLabelled(jpeg) ? 'marked_' : '_marked')
}

/** Adds `_2`, `_3`, … before extension or position if a file store could confuse the record's names. */
export function uniquePhotoName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map(coarseName))
  let unique = name
  for (let n = 2; used.has(coarseName(unique)); n += 1)
    unique = isLabelled(name) ? shortened(name, `${n}_`) : shortened(name, `_${n}`)
  return unique
}

/** True if a file store may show both names alike. */
export const isSamePhotoName = (one: string, other: string): boolean => coarseName(one) === coarseName(other)

/** Why a file is refused: ec00015 (not a photo by its first bytes), ec00016 (too large); null if it is accepted. */
export function photoProblem({ head, size }: { head: ArrayBuffer; size: number }, maxMb: number) {
  if (!photoTypeOf(head) && !isTruncated(new Uint8Array(head))) return 'ec00015'
  return size > maxMb * 1024 * 1024 ? 'ec00016' : null
}

/** Characters that file names cannot contain or that file stores replace. */
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

/** Shortens a name to both length limits, before its extension or position, where `added` is inserted. */
function shortened(name: string, added = ''): string {
  const label = LABELLED.exec(name)
  const end = label ? label.index + labelBegin(label[0]) : name.length - partsOf(name).extension.length
  const [head, tail] = [name.slice(0, end), `${added}${name.slice(end)}`]
  let fitting = ''
  for (const character of head) {
    const next = fitting + character
    if (next.length + tail.length > PHOTO_NAME_MAX || bytesOf(next + tail) > PHOTO_NAME_MAX_BYTES) break
    fitting = next
  }
  return fitting + tail
}

/** Index of the position or timestamp in a match of LABELLED. The match may begin with one other character. */
const labelBegin = (matched: string) => matched.search(/[-\d]/)
const bytesOf = (text: string) => new TextEncoder().encode(text).length
