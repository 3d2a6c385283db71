/**
 * A photo made ready to be kept and sent:
 *
 *     parts ── size ── EXIF ── decoded ─┬─ large, cut, or a turned PNG: drawn as JPEG, upright
 *       no size, too large,             └─ else: its own bytes, without what only tells of it
 *       not decodable → refused
 *
 * What leaves here was drawn anew, or is the photo's own pixels byte for byte: no owner, serial number or maker note is in
 * it, and nothing before or behind it (decisions/photos). Nothing is decoded whose header says more than the limit. A
 * picture that is turned is decoded without its orientation, and turned here: what is sent is what is shown
 * (decisions/photos).
 */
import { withOrientation } from './exif-orientation.ts'
import {
  headerBytes,
  imageParts,
  pictureBytes,
  pictureOf,
  pictureSize,
  type ImageParts,
} from './image-parts.ts'
import { imageSize, pixelsIn, type ImageSize } from './image-size.ts'
import { exifFacts, orientationOf, type ExifFacts } from './photo-facts.ts'
import type { RawEmbedded, RawExif } from './exif.ts'

const PHOTO_LONG_EDGE_PX = 2048
const THUMB_LONG_EDGE_PX = 192
const QUALITY = 0.85
/** A larger canvas of an iPhone is blank, without an error. */
const CANVAS_MAX_PIXELS = 16_777_216
/** A JPEG with more is decoded at a part of its size. */
const REDUCED_FROM_PIXELS = 26_000_000

/** Width and height in pixels. */
export interface Size {
  width: number
  height: number
}

/** A photo that was picked, and what was read of it. */
export interface PhotoFile {
  file: Blob
  bytes: ArrayBuffer
}

/** What is given to a decoder: the picture alone. */
export interface Picture {
  file: Blob
  /** The same, for where the file cannot be read again. */
  bytes: () => ArrayBuffer
  size: Size
  /** About the size to decode it at, where the browser can; undefined where it is decoded whole. */
  reduced: Size | undefined
}

/** What this needs of the browser: `browserImages`, or a fake. */
export interface Images<B = unknown> {
  /** @throws where the browser cannot */
  decode(picture: Picture): Promise<B>
  /**
   * Drawn upright at that size.
   * @param orientation 1–8, as EXIF counts
   * @throws where the browser cannot, or draws nothing
   */
  draw(picture: B, size: Size, orientation: number): B
  /** What was drawn, as JPEG. @throws where the browser cannot */
  encode(drawn: B, quality: number): Promise<ArrayBuffer>
  /** Its memory is given back. */
  close(bitmap: B): void
}

/** Width times height; what has more is not decoded. */
interface PixelLimits {
  /** Of a JPEG, which is decoded at a part of its size. */
  maxPixels: number
  /** Of what is decoded whole. */
  maxWhole: number
}

export interface PrepareOptions extends PixelLimits {
  /** The photo keeps its size (写真を元のサイズで送信). */
  keepOriginal: boolean
  /** Epoch milliseconds: no photo was taken later. */
  now: number
}

export interface ThumbOptions extends PixelLimits {
  /** Of what is drawn; left out it is a thumbnail's. */
  longEdge?: number
}

/** `pixels`: it has more than the limit; `broken`: nothing of it can be decoded. */
export type PreparedPhoto =
  | { kind: 'refused'; why: 'pixels' | 'broken' }
  | {
      kind: 'photo'
      bytes: ArrayBuffer
      /** Undefined where the browser cannot draw. */
      thumb: ArrayBuffer | undefined
      exif: ExifFacts
    }

/** The size at which the long edge is at most `longEdge` and a canvas holds it; never larger than it is. */
export function fitting({ width, height }: Size, longEdge: number): Size {
  const scale = Math.min(1, longEdge / Math.max(width, height, 1))
  const isTooLarge = width * height * scale * scale > CANVAS_MAX_PIXELS
  const least = isTooLarge ? Math.sqrt(CANVAS_MAX_PIXELS / (width * height)) : scale
  const whole = isTooLarge ? Math.floor : Math.round
  return { width: Math.max(1, whole(width * least)), height: Math.max(1, whole(height * least)) }
}

const refused = (why: 'pixels' | 'broken'): PreparedPhoto => ({ kind: 'refused', why })

/** @param readExif given the whole file; says nothing of what it cannot read */
export async function preparePhoto<B>(
  photo: PhotoFile,
  images: Images<B>,
  readExif: (bytes: ArrayBuffer) => RawExif,
  options: PrepareOptions,
): Promise<PreparedPhoto> {
  const opened = openPhoto(photo)
  if (!opened?.parts) return refused('broken')
  const { size, parts } = opened
  if (pixelsIn(size) > limitOf(size, options)) return refused('pixels')
  const exif = exifFacts(readExif(photo.bytes), options.now)
  const { orientation } = exif
  const own = ownOf(photo.bytes, parts, orientation)
  const longEdge = edgeOf(size, own, options)
  const picture = pictureAt(opened, longEdge ?? THUMB_LONG_EDGE_PX, orientation)
  const bitmap = await orNothing(() => images.decode(picture))
  if (!bitmap) return refused('broken')
  const { anew, thumb } = await drawn(images, bitmap, { size, orientation, longEdge })
  const isTaken = anew && anew.byteLength > 0 && anew.byteLength < own.most
  const bytes = isTaken ? anew : own.bytes?.()
  return bytes ? { kind: 'photo', bytes, thumb, exif } : refused('broken')
}

/** A photo's own parts that draw the picture. */
interface Own {
  /** Copied only where they are what is kept; undefined of a file that was cut. */
  bytes: (() => ArrayBuffer) | undefined
  /** What is drawn anew has to be smaller: Infinity where the photo's own bytes are the worse choice. */
  most: number
}

/** Few programs turn a PNG: one that says how it stands is drawn upright. */
function ownOf(bytes: ArrayBuffer, parts: ImageParts, orientation: number): Own {
  const { type, isCut } = parts
  const isJpeg = type === 'jpeg'
  const copy = () => withOrientation(pictureBytes(bytes, parts), isJpeg ? orientation : 1)
  const isAsShown = !isCut && (isJpeg || orientation === 1)
  return { bytes: isCut ? undefined : copy, most: isAsShown ? pictureSize(parts) : Infinity }
}

/** The long edge to draw a photo with; undefined where its own bytes are what is kept. */
function edgeOf(
  { width, height }: Size,
  { most }: Own,
  { keepOriginal }: PrepareOptions,
): number | undefined {
  if (most === Infinity) return keepOriginal ? Infinity : PHOTO_LONG_EDGE_PX
  return !keepOriginal && Math.max(width, height) > PHOTO_LONG_EDGE_PX ? PHOTO_LONG_EDGE_PX : undefined
}

interface Opened extends PhotoFile {
  size: ImageSize
  /** Null for what is no PNG or JPEG. */
  parts: ImageParts | null
  /** The file as it is says the same size as the picture alone. */
  isPlain: boolean
}

/** @returns null where no size is said before the pixels: the one that the decoder will see */
function openPhoto({ file, bytes }: PhotoFile): Opened | null {
  const parts = imageParts(bytes)
  const size = imageSize(parts ? headerBytes(bytes, parts) : bytes)
  const told = parts ? imageSize(bytes) : size
  const isPlain = told?.width === size?.width && told?.height === size?.height
  return size && { file, bytes, size, parts, isPlain }
}

const limitOf = ({ type }: ImageSize, { maxPixels, maxWhole }: PixelLimits) =>
  type === 'jpeg' ? maxPixels : maxWhole

/**
 * What is decoded to be drawn with that long edge. A whole picture that is not turned is its file as it is: of slices a
 * browser makes a new file first.
 */
function pictureAt(opened: Opened, longEdge: number, orientation: number): Picture {
  const { file, bytes, size, parts, isPlain } = opened
  const isAsItIs = !parts || (!parts.isCut && orientation === 1 && isPlain)
  return {
    file: isAsItIs ? file : pictureOf(file, parts),
    bytes: () => (isAsItIs ? bytes : pictureBytes(bytes, parts)),
    size,
    reduced: size.type === 'jpeg' && pixelsIn(size) > REDUCED_FROM_PIXELS ? part(size, longEdge) : undefined,
  }
}

/** A JPEG is decoded by halves. */
function part(size: Size, longEdge: number): Size {
  const { width } = fitting(size, longEdge)
  const by = [8, 4].find((each) => size.width / each >= width) ?? 2
  return { width: Math.ceil(size.width / by), height: Math.ceil(size.height / by) }
}

/** From 5 on a picture lies on its side. */
const upright = ({ width, height }: Size, orientation: number): Size =>
  orientation > 4 ? { width: height, height: width } : { width, height }

/**
 * The thumbnail is drawn from what was drawn for the photo: that has a quarter of a camera's pixels. The decoded photo is
 * given back as soon as all is drawn: it is most of the memory, and encoding takes longest.
 * @param bitmap closed here
 */
async function drawn<B>(
  images: Images<B>,
  bitmap: B,
  { size, orientation, longEdge }: { size: Size; orientation: number; longEdge: number | undefined },
) {
  const shown = upright(size, orientation)
  const photo =
    longEdge === undefined ? undefined : drawnAt(images, bitmap, fitting(shown, longEdge), orientation)
  const small = fitting(shown, THUMB_LONG_EDGE_PX)
  const thumb = photo ? drawnAt(images, photo, small, 1) : drawnAt(images, bitmap, small, orientation)
  images.close(bitmap)
  const encodedThumb = await encoded(images, thumb)
  return { thumb: encodedThumb, anew: await encoded(images, photo) }
}

function drawnAt<B>(images: Images<B>, picture: B, size: Size, orientation: number): B | undefined {
  try {
    return images.draw(picture, size, orientation)
  } catch {
    return undefined
  }
}

/** @param picture closed here */
async function encoded<B>(images: Images<B>, picture: B | undefined) {
  if (!picture) return undefined
  try {
    return await orNothing(() => images.encode(picture, QUALITY))
  } finally {
    images.close(picture)
  }
}

/** Only drawn, as a photo that came from the file store is; undefined where it may or can not be. */
export async function thumbnail<B>(
  photo: PhotoFile,
  images: Images<B>,
  readExif: (bytes: ArrayBuffer) => RawExif,
  { longEdge = THUMB_LONG_EDGE_PX, ...limits }: ThumbOptions,
): Promise<ArrayBuffer | undefined> {
  const opened = openPhoto(photo)
  if (!opened || pixelsIn(opened.size) > limitOf(opened.size, limits)) return undefined
  const { size, parts } = opened
  const orientation = parts ? orientationOf(readExif(photo.bytes).orientation) : 1
  const bitmap = await orNothing(() => images.decode(pictureAt(opened, longEdge, orientation)))
  if (!bitmap) return undefined
  const small = drawnAt(images, bitmap, fitting(upright(size, orientation), longEdge), orientation)
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
  if (!parts || parts.isCut) return undefined
  return withOrientation(pictureBytes(found, parts), orientationOf(orientation))
}

async function orNothing<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch {
    return undefined
  }
}
