/**
 * Prepares a photo for storing and sending:
 *
 *     parse ── size ── EXIF ── decode ─┬─ large photo, truncated file, rotated PNG: redrawn as an upright JPEG
 *       no size, too large,            └─ otherwise: its own bytes without metadata
 *       not decodable → refused
 *
 * The output is redrawn or has the photo's own pixels byte for byte, without owner, serial number, maker note or
 * other data (decisions/photos). Images above the pixel limit are not decoded. This code applies the rotation, so
 * that the photo is sent as it is shown.
 */
import { PHOTO_MAX_PIXELS, PHOTO_WHOLE_MAX_PIXELS } from '#schemas/limits.ts'
import {
  headerBytes,
  imageParts,
  pictureBytes,
  pictureOf,
  pictureSize,
  withOrientation,
  type ImageParts,
} from './image-parts.ts'
import { imageSize, pixelsIn, type ImageSize } from './image-size.ts'
import { exifFacts, orientationOf, type ExifFacts } from './photo-facts.ts'
import type { RawExif } from './exif.ts'

const PHOTO_LONG_EDGE_PX = 2048
const THUMB_LONG_EDGE_PX = 192
const QUALITY = 0.85
/** The largest canvas of an iPhone. A larger canvas stays empty without an error. */
const CANVAS_MAX_PIXELS = 16_777_216
const REDUCED_FROM_PIXELS = 26_000_000

export type Size = { width: number; height: number }

export type PhotoFile = { file: Blob; bytes: ArrayBuffer }

export interface Picture {
  file: Blob
  bytes: () => ArrayBuffer
  size: Size
  /** Size to which a browser may reduce the picture while it decodes; undefined for the full size. */
  reduced: Size | undefined
}

/** The browser's image functions (`browserImages`), replaced in tests. */
export interface Images<B = unknown> {
  decode(picture: Picture): Promise<B>
  /** Draws the picture upright. @param orientation EXIF value 1–8 @throws if nothing is drawn */
  draw(picture: B, size: Size, orientation: number): B
  encode(drawn: B, quality: number): Promise<ArrayBuffer>
  close(bitmap: B): void
}

export type PrepareOptions = { keepOriginal: boolean; now: number }

/** `pixels`: the image exceeds the pixel limit. `broken`: it cannot be decoded. */
export type PreparedPhoto =
  | { kind: 'refused'; why: 'pixels' | 'broken' }
  | { kind: 'photo'; bytes: ArrayBuffer; thumb: ArrayBuffer | undefined; exif: ExifFacts }

/** Reduces a size so that the long edge is at most `longEdge` and a canvas of that size is possible. Never enlarges. */
export function fitting({ width, height }: Size, longEdge: number): Size {
  const scale = Math.min(1, longEdge / Math.max(width, height, 1))
  const isTooLarge = width * height * scale * scale > CANVAS_MAX_PIXELS
  const limitedScale = isTooLarge ? Math.sqrt(CANVAS_MAX_PIXELS / (width * height)) : scale
  const round = isTooLarge ? Math.floor : Math.round
  return {
    width: Math.max(1, round(width * limitedScale)),
    height: Math.max(1, round(height * limitedScale)),
  }
}

const refused = (why: 'pixels' | 'broken'): PreparedPhoto => ({ kind: 'refused', why })

/** @param readExif called with the whole file; must not throw */
export async function preparePhoto<B>(
  photo: PhotoFile,
  images: Images<B>,
  readExif: (bytes: ArrayBuffer) => RawExif,
  options: PrepareOptions,
): Promise<PreparedPhoto> {
  const parsed = parsePhoto(photo)
  if (!parsed?.parts) return refused('broken')
  const { size, parts } = parsed
  if (isTooLarge(size)) return refused('pixels')
  const exif = exifFacts(readExif(photo.bytes), options.now)
  const { orientation } = exif
  const original = originalBytes(photo.bytes, parts, orientation)
  const longEdge = edgeOf(size, original, options)
  const picture = pictureAt(parsed, longEdge ?? THUMB_LONG_EDGE_PX, orientation)
  const bitmap = await orUndefined(() => images.decode(picture))
  if (!bitmap) return refused('broken')
  const { redrawn, thumb } = await drawPhotoAndThumb(images, bitmap, { size, orientation, longEdge })
  const isRedrawnUsed = redrawn && redrawn.byteLength > 0 && redrawn.byteLength < original.redrawnMax
  const bytes = isRedrawnUsed ? redrawn : original.bytes?.()
  return bytes ? { kind: 'photo', bytes, thumb, exif } : refused('broken')
}

type OriginalBytes = ReturnType<typeof originalBytes>

/** A rotated PNG is always redrawn upright, because few programs apply its orientation. */
function originalBytes(bytes: ArrayBuffer, parts: ImageParts, orientation: number) {
  const { type, isCut } = parts
  const isJpeg = type === 'jpeg'
  const copy = () => withOrientation(pictureBytes(bytes, parts), isJpeg ? orientation : 1)
  const isAsShown = !isCut && (isJpeg || orientation === 1)
  return { bytes: isCut ? undefined : copy, redrawnMax: isAsShown ? pictureSize(parts) : Infinity }
}

/** Length in pixels of the redrawn photo's longer edge; undefined if the photo is not redrawn. */
function edgeOf(
  { width, height }: Size,
  { redrawnMax }: OriginalBytes,
  { keepOriginal }: PrepareOptions,
): number | undefined {
  if (redrawnMax === Infinity) return keepOriginal ? Infinity : PHOTO_LONG_EDGE_PX
  return !keepOriginal && Math.max(width, height) > PHOTO_LONG_EDGE_PX ? PHOTO_LONG_EDGE_PX : undefined
}

type ParsedPhoto = NonNullable<ReturnType<typeof parsePhoto>>

function parsePhoto({ file, bytes }: PhotoFile) {
  const parts = imageParts(bytes)
  const size = imageSize(parts ? headerBytes(bytes, parts) : bytes)
  const sizeWithMetadata = parts ? imageSize(bytes) : size
  // True if the metadata does not change the size that a decoder finds. Otherwise the decoder gets no metadata.
  const isPlain = sizeWithMetadata?.width === size?.width && sizeWithMetadata?.height === size?.height
  return size && { file, bytes, size, parts, isPlain }
}

/** True if the image has too many pixels to decode. JPEG may have more, because it can be decoded at a reduced size. */
const isTooLarge = (size: ImageSize) =>
  pixelsIn(size) > (size.type === 'jpeg' ? PHOTO_MAX_PIXELS : PHOTO_WHOLE_MAX_PIXELS)

/** The decoder's input for this long edge: if possible the whole file, because browsers copy slices. */
function pictureAt(parsed: ParsedPhoto, longEdge: number, orientation: number): Picture {
  const { file, bytes, size, parts, isPlain } = parsed
  const isUnchanged = !parts || (!parts.isCut && orientation === 1 && isPlain)
  return {
    file: isUnchanged ? file : pictureOf(file, parts),
    bytes: () => (isUnchanged ? bytes : pictureBytes(bytes, parts)),
    size,
    reduced:
      size.type === 'jpeg' && pixelsIn(size) > REDUCED_FROM_PIXELS ? reducedSize(size, longEdge) : undefined,
  }
}

/** Returns the size for decoding: a half, quarter or eighth of the photo, which JPEG decoders support. */
function reducedSize(size: Size, longEdge: number): Size {
  const { width } = fitting(size, longEdge)
  const divisor = [8, 4].find((each) => size.width / each >= width) ?? 2
  return { width: Math.ceil(size.width / divisor), height: Math.ceil(size.height / divisor) }
}

const upright = ({ width, height }: Size, orientation: number): Size =>
  orientation > 4 ? { width: height, height: width } : { width, height }

/** Draws photo and thumbnail, and closes `bitmap` before the slow encoding, because it needs the most memory. */
async function drawPhotoAndThumb<B>(
  images: Images<B>,
  bitmap: B,
  { size, orientation, longEdge }: { size: Size; orientation: number; longEdge: number | undefined },
) {
  const uprightSize = upright(size, orientation)
  const photo =
    longEdge === undefined ? undefined : tryDraw(images, bitmap, fitting(uprightSize, longEdge), orientation)
  const small = fitting(uprightSize, THUMB_LONG_EDGE_PX)
  const thumb = photo ? tryDraw(images, photo, small, 1) : tryDraw(images, bitmap, small, orientation)
  images.close(bitmap)
  const encodedThumb = await tryEncode(images, thumb)
  return { thumb: encodedThumb, redrawn: await tryEncode(images, photo) }
}

function tryDraw<B>(images: Images<B>, picture: B, size: Size, orientation: number): B | undefined {
  try {
    return images.draw(picture, size, orientation)
  } catch {
    return undefined
  }
}

async function tryEncode<B>(images: Images<B>, picture: B | undefined) {
  if (!picture) return undefined
  try {
    return await orUndefined(() => images.encode(picture, QUALITY))
  } finally {
    images.close(picture)
  }
}

/** Draws a photo at a reduced size (default: a thumbnail's); undefined if too large or not decodable. */
export async function thumbnail<B>(
  photo: PhotoFile,
  images: Images<B>,
  readExif: (bytes: ArrayBuffer) => RawExif,
  longEdge = THUMB_LONG_EDGE_PX,
): Promise<ArrayBuffer | undefined> {
  const parsed = parsePhoto(photo)
  if (!parsed || isTooLarge(parsed.size)) return undefined
  const { size, parts } = parsed
  const orientation = parts ? orientationOf(readExif(photo.bytes).orientation) : 1
  const bitmap = await orUndefined(() => images.decode(pictureAt(parsed, longEdge, orientation)))
  if (!bitmap) return undefined
  const small = tryDraw(images, bitmap, fitting(upright(size, orientation), longEdge), orientation)
  images.close(bitmap)
  return tryEncode(images, small)
}

/** Pixel limit for embedded thumbnails, which usually have about ten thousand pixels. */
const EMBEDDED_MAX_PIXELS = 1_000_000

/** The thumbnail embedded in the photo, without metadata; undefined if unsafe. It may differ, so it is not stored. */
export function embeddedThumb(
  head: ArrayBuffer,
  readExif: (bytes: ArrayBuffer) => RawExif,
): ArrayBuffer | undefined {
  const { thumbnail: found, orientation } = readExif(head)
  const size = found ? imageSize(found) : null
  if (!found || size?.type !== 'jpeg' || pixelsIn(size) > EMBEDDED_MAX_PIXELS) return undefined
  const parts = imageParts(found)
  if (!parts || parts.isCut) return undefined
  return withOrientation(pictureBytes(found, parts), orientationOf(orientation))
}

async function orUndefined<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch {
    return undefined
  }
}
