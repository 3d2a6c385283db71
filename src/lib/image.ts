/**
 * A photo made ready to be kept and sent:
 *
 *     header ── size ── parts ── EXIF ── decoded ─┬─ large: drawn smaller, as JPEG, upright
 *       no size, too large, a page, not decodable └─ else: its own bytes, without what only tells of it
 *       → refused
 *
 * What leaves here was drawn anew, or is the photo's own pixels byte for byte: no owner, serial number or maker note is in
 * it, and nothing before or behind it (decision 0044). Nothing is decoded whose header says more than the limit.
 */
import { withOrientation } from './exif-orientation.ts'
import { holdsPage, imageParts, joined, keptBytes, type ImagePart } from './image-parts.ts'
import { imageSize, pixelsIn } from './image-size.ts'
import { exifFacts, orientationOf, type ExifFacts } from './photo-facts.ts'
import type { RawEmbedded, RawExif } from './exif.ts'

const PHOTO_LONG_EDGE_PX = 2048
const THUMB_LONG_EDGE_PX = 192
const QUALITY = 0.85

/** What a browser draws with. */
export interface Bitmap {
  width: number
  height: number
}

/** A photo that was picked, and what was read of it. */
export interface PhotoFile {
  file: Blob
  bytes: ArrayBuffer
}

/** What this needs of the browser: `browserImages`, or a fake. */
export interface Images<B extends Bitmap = Bitmap> {
  /** Decoded upright. @throws where the browser cannot */
  decode(photo: PhotoFile): Promise<B>
  /** Drawn at that size. @throws where the browser cannot */
  draw(picture: B, width: number, height: number): B
  /** What was drawn, as JPEG. @throws where the browser cannot */
  encode(drawn: B, quality: number): Promise<ArrayBuffer>
  /** Its memory is given back. */
  close(bitmap: B): void
}

export interface PrepareOptions {
  /** The photo keeps its size (写真を元のサイズで送信). */
  keepOriginal: boolean
  /** Width times height; what has more is not decoded. */
  maxPixels: number
  /** Epoch milliseconds: no photo was taken later. */
  now: number
}

/** `pixels`: it has more than the limit; `unreadable`: it is no whole PNG or JPEG that can be decoded. */
export type PreparedPhoto =
  | { kind: 'refused'; why: 'pixels' | 'unreadable' }
  | {
      kind: 'photo'
      bytes: ArrayBuffer
      /** Undefined where the browser cannot draw. */
      thumb: ArrayBuffer | undefined
      exif: ExifFacts
    }

/** The size at which the long edge is at most `longEdge`; never larger than it is. */
export function fitting({ width, height }: { width: number; height: number }, longEdge: number) {
  const scale = Math.min(1, longEdge / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

const refused = (why: 'pixels' | 'unreadable'): PreparedPhoto => ({ kind: 'refused', why })

/** @param readExif given the whole file; says nothing of what it cannot read */
export async function preparePhoto<B extends Bitmap>(
  photo: PhotoFile,
  images: Images<B>,
  readExif: (bytes: ArrayBuffer) => RawExif,
  options: PrepareOptions,
): Promise<PreparedPhoto> {
  const original = photo.bytes
  const size = imageSize(original)
  if (size?.type !== 'png' && size?.type !== 'jpeg') return refused('unreadable')
  if (pixelsIn(size) > options.maxPixels) return refused('pixels')
  const parts = imageParts(original)
  // what is not whole may hold anything anywhere
  const whole: ImagePart[] = [{ from: 0, to: original.byteLength, isKept: false, isPixels: false }]
  if (holdsPage(original, parts ?? whole)) return refused('unreadable')
  const exif = exifFacts(readExif(original), options.now)
  const bitmap = await orNothing(() => images.decode(photo))
  if (!bitmap) return refused('unreadable')
  const orientation = size.type === 'jpeg' ? exif.orientation : 1
  const own = parts && {
    size: keptBytes(parts),
    bytes: () => withOrientation(joined(original, parts), orientation),
  }
  const { bytes, thumb } = await drawn(images, bitmap, own, options)
  return bytes ? { kind: 'photo', bytes, thumb, exif } : refused('unreadable')
}

/** A photo's own parts that draw the picture; copied only where they are what is kept. */
interface Own {
  size: number
  bytes: () => ArrayBuffer
}

/**
 * The thumbnail is drawn from what was drawn for the photo: that has a quarter of a camera's pixels. The decoded photo is
 * given back as soon as all is drawn: it is most of the memory, and encoding takes longest.
 * @param bitmap closed here
 * @param own where its parts are whole: what is drawn anew has to be smaller
 */
async function drawn<B extends Bitmap>(
  images: Images<B>,
  bitmap: B,
  own: Own | null,
  { keepOriginal }: PrepareOptions,
) {
  const isLarge = Math.max(bitmap.width, bitmap.height) > PHOTO_LONG_EDGE_PX
  const isKept = own !== null && (keepOriginal || !isLarge)
  const photo = isKept ? undefined : drawnAt(images, bitmap, keepOriginal ? Infinity : PHOTO_LONG_EDGE_PX)
  const small = drawnAt(images, photo ?? bitmap, THUMB_LONG_EDGE_PX)
  images.close(bitmap)
  const thumb = await encoded(images, small)
  const anew = await encoded(images, photo)
  const isSmaller = anew && anew.byteLength > 0 && (own === null || anew.byteLength < own.size)
  return { bytes: isSmaller ? anew : own?.bytes(), thumb }
}

function drawnAt<B extends Bitmap>(images: Images<B>, picture: B, longEdge: number): B | undefined {
  const { width, height } = fitting(picture, longEdge)
  try {
    return images.draw(picture, width, height)
  } catch {
    return undefined
  }
}

/** @param picture closed here */
async function encoded<B extends Bitmap>(images: Images<B>, picture: B | undefined) {
  if (!picture) return undefined
  try {
    return await orNothing(() => images.encode(picture, QUALITY))
  } finally {
    images.close(picture)
  }
}

/** Only the thumbnail, of a photo that came from the file store; undefined where it may or can not be drawn. */
export async function thumbnail<B extends Bitmap>(
  photo: PhotoFile,
  images: Images<B>,
  maxPixels: number,
): Promise<ArrayBuffer | undefined> {
  const size = imageSize(photo.bytes)
  if (!size || pixelsIn(size) > maxPixels) return undefined
  const bitmap = await orNothing(() => images.decode(photo))
  if (!bitmap) return undefined
  const small = drawnAt(images, bitmap, THUMB_LONG_EDGE_PX)
  images.close(bitmap)
  return encoded(images, small)
}

/** Cameras embed some ten thousand pixels; what says more is no thumbnail. */
const EMBEDDED_MAX_PIXELS = 1_000_000

/**
 * What a camera has put beside the photo to be looked at until it is read: a JPEG without anything that only tells of it.
 * Undefined where there is none, or none that may be decoded. It may show another picture than the photo: it is never kept.
 * @param head the file's beginning
 */
export function embeddedThumb(
  head: ArrayBuffer,
  readEmbedded: (bytes: ArrayBuffer) => RawEmbedded,
): ArrayBuffer | undefined {
  const { thumbnail: found, orientation } = readEmbedded(head)
  const size = found ? imageSize(found) : null
  if (!found || size?.type !== 'jpeg' || pixelsIn(size) > EMBEDDED_MAX_PIXELS) return undefined
  const parts = imageParts(found)
  if (!parts || holdsPage(found, parts)) return undefined
  return withOrientation(joined(found, parts), orientationOf(orientation))
}

async function orNothing<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch {
    return undefined
  }
}
