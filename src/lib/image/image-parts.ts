/**
 * A PNG or a JPEG as its parts: what draws the picture is kept, what only tells of it (EXIF, XMP, comments, thumbnails,
 * maker notes) and whatever stands behind its end is not. JPEG (ITU T.81 B), PNG (W3C PNG 5.3).
 */
interface ImagePart {
  /** Bytes from, up to. */
  from: number
  to: number
  isKept: boolean
  /** Compressed pixels: nothing can be read in them. */
  isPixels: boolean
}

export interface ImageParts {
  type: 'png' | 'jpeg'
  parts: readonly ImagePart[]
  /** The file ends before the picture does: what is kept is closed by an end of its own. */
  isCut: boolean
}

/** @returns null for what does not begin as a PNG or a JPEG */
export function imageParts(bytes: ArrayBuffer): ImageParts | null {
  const all = new Uint8Array(bytes)
  const type = PNG_MAGIC.every((byte, at) => all[at] === byte)
    ? 'png'
    : all[0] === 0xff && all[1] === SOI
      ? 'jpeg'
      : null
  if (!type) return null
  const { parts, isCut } = type === 'png' ? pngParts(all) : jpegParts(all)
  return {
    type,
    isCut,
    parts: parts.map((part) => ({ ...part, isKept: part.isKept && !holdsPage(all, part) })),
  }
}

const PNG_MAGIC = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda

/** What closes a picture that was cut. */
const END = {
  jpeg: Uint8Array.of(0xff, EOI),
  png: Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82),
}

/** The kept bytes from, up to; parts beside each other are one. */
function keptRanges({ parts }: Pick<ImageParts, 'parts'>): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = []
  for (const { from, to, isKept } of parts) {
    const last = ranges.at(-1)
    if (!isKept) continue
    if (last?.to === from) last.to = to
    else ranges.push({ from, to })
  }
  return ranges
}

const endOf = ({ type, isCut }: ImageParts) => (isCut ? [END[type]] : [])

/** The picture alone, as parts of the file: nothing is copied. */
export const pictureOf = (file: Blob, picture: ImageParts): Blob =>
  new Blob([...keptRanges(picture).map(({ from, to }) => file.slice(from, to)), ...endOf(picture)])

/** The picture alone. */
export function pictureBytes(bytes: ArrayBuffer, picture: ImageParts): ArrayBuffer {
  const pieces = [
    ...keptRanges(picture).map(({ from, to }) => new Uint8Array(bytes, from, to - from)),
    ...endOf(picture),
  ]
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole.buffer
}

/** What stands before the pixels: a decoder takes the size from it. */
export function headerBytes(bytes: ArrayBuffer, picture: ImageParts): ArrayBuffer {
  const pixelsAt = picture.parts.findIndex(({ isPixels }) => isPixels)
  const parts = pixelsAt < 0 ? picture.parts : picture.parts.slice(0, pixelsAt)
  return pictureBytes(bytes, { ...picture, parts, isCut: false })
}

/** How many bytes the picture alone has. */
export const pictureSize = (picture: ImageParts): number =>
  [
    ...keptRanges(picture).map(({ from, to }) => to - from),
    ...endOf(picture).map(({ length }) => length),
  ].reduce((sum, length) => sum + length, 0)

const latin1 = new TextDecoder('latin1')
const PAGE = /<!doctype\s+html|<html[\s>]|<script[\s>]/i

/** Whether a web page is hidden in what is not the picture itself. */
const holdsPage = (all: Uint8Array, { from, to, isPixels, isKept }: ImagePart) =>
  isKept && !isPixels && PAGE.test(latin1.decode(all.subarray(from, to)))

type Found = Pick<ImageParts, 'parts' | 'isCut'>

/** What draws the picture, and the most bytes of each; the rest is text, times, EXIF and animation. */
const PNG_KEPT: Readonly<Record<string, number>> = {
  IHDR: 13,
  PLTE: 768,
  IDAT: Infinity,
  IEND: 0,
  tRNS: 256,
  cHRM: 32,
  gAMA: 4,
  iCCP: Infinity,
  sBIT: 4,
  sRGB: 1,
  cICP: 4,
  bKGD: 6,
  pHYs: 9,
}

function pngParts(all: Uint8Array): Found {
  const parts: ImagePart[] = [{ from: 0, to: PNG_MAGIC.length, isKept: true, isPixels: false }]
  const view = new DataView(all.buffer)
  for (let from = PNG_MAGIC.length; from + 12 <= all.length;) {
    const length = view.getUint32(from)
    const name = textAt(all, from + 4, 4)
    const to = from + 12 + length
    if (to > all.length) break
    const isKept = length <= (PNG_KEPT[name] ?? -1)
    parts.push({ from, to, isKept, isPixels: name === 'IDAT' })
    if (name === 'IEND') return { parts, isCut: !isKept }
    from = to
  }
  return { parts, isCut: true }
}

function jpegParts(all: Uint8Array): Found {
  const parts: ImagePart[] = [{ from: 0, to: 2, isKept: true, isPixels: false }]
  const view = new DataView(all.buffer)
  // whatever stands between segments is skipped, as decoders do
  for (let from = markerAfter(all, 2); from + 2 <= all.length;) {
    const marker = all[from + 1] ?? 0
    if (marker === EOI)
      return { parts: [...parts, { from, to: from + 2, isKept: true, isPixels: false }], isCut: false }
    if (isBare(marker)) {
      from = markerAfter(all, from + 2)
      continue
    }
    if (from + 4 > all.length) break
    const to = from + 2 + view.getUint16(from + 2)
    if (to > all.length || to < from + 4) break
    const isKept = isJpegKept(all.subarray(from + 4, to), marker)
    parts.push({ from, to, isKept, isPixels: false })
    from = marker === SOS ? scanEnd(all, to) : markerAfter(all, to)
    // without its head a scan is whatever stands there
    if (marker === SOS) parts.push({ from: to, to: from, isKept, isPixels: true })
  }
  return { parts, isCut: true }
}

/** A marker without a length has no place between segments. */
const isBare = (marker: number) => marker < 0xc0 || (marker >= 0xd0 && marker <= SOI)

/** Where the next marker stands; behind the file where there is none. */
function markerAfter(all: Uint8Array, start: number): number {
  for (let at = all.indexOf(0xff, start); at >= 0; at = all.indexOf(0xff, at + 1)) {
    const next = all[at + 1]
    if (next !== undefined && next !== 0 && next !== 0xff) return at
  }
  return all.length
}

/** Where the compressed data ends: at the next marker that is no restart. */
function scanEnd(all: Uint8Array, start: number): number {
  let at = markerAfter(all, start)
  while ((all[at + 1] ?? 0) >= 0xd0 && (all[at + 1] ?? 0) <= 0xd7) at = markerAfter(all, at + 2)
  return at
}

/**
 * JFIF, a colour profile, Adobe's colour transform, and the tables and frames that a browser decodes, each in the form that
 * its standard gives it: a segment of another form holds something else.
 */
function isJpegKept(body: Uint8Array, marker: number): boolean {
  switch (marker) {
    case 0xc0:
    case 0xc1:
    case 0xc2:
      return body.length === 6 + 3 * (body[5] ?? 0)
    case 0xc4:
      return areTables(body, (at) => 17 + body.subarray(at + 1, at + 17).reduce((sum, each) => sum + each, 0))
    case SOS:
      return body.length === 4 + 2 * (body[0] ?? 0)
    case 0xdb:
      return areTables(body, (at) => 1 + ((body[at] ?? 0) < 16 ? 64 : 128))
    case 0xdd:
      return body.length === 2
    case 0xe0:
      return body.length === 14 && textAt(body, 0, 5) === 'JFIF\0'
    case 0xe2:
      return textAt(body, 0, 12) === 'ICC_PROFILE\0'
    case 0xee:
      return body.length === 12 && textAt(body, 0, 5) === 'Adobe'
    default:
      return false
  }
}

/** Tables one behind the other, each with its class and its number in front. */
function areTables(body: Uint8Array, lengthAt: (at: number) => number): boolean {
  let at = 0
  while (at < body.length && ((body[at] ?? 0) & 0xec) === 0) at += lengthAt(at)
  return at === body.length
}

const textAt = (all: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...all.subarray(from, from + length))
