/**
 * Splits a PNG or JPEG into parts. Only parts that draw the picture are included in the output; metadata (EXIF, XMP,
 * comments, thumbnails, maker notes) and bytes after the end are not. JPEG: ITU T.81 B; PNG: W3C PNG 5.3.
 */
type ImagePart = { from: number; to: number; isIncluded: boolean; isPixels: boolean }

export interface ImageParts {
  type: 'png' | 'jpeg'
  parts: readonly ImagePart[]
  /** True if the file ends before the picture is complete. The output then gets an end marker. */
  isCut: boolean
}

/** @returns null if the bytes do not begin as a PNG or JPEG */
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
    parts: parts.map((part) => ({ ...part, isIncluded: part.isIncluded && !hasPage(all, part) })),
  }
}

const PNG_MAGIC = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda

const END = {
  jpeg: Uint8Array.of(0xff, EOI),
  png: Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82),
}

function includedRanges({ parts }: Pick<ImageParts, 'parts'>): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = []
  for (const { from, to, isIncluded } of parts) {
    const last = ranges.at(-1)
    if (!isIncluded) continue
    if (last?.to === from) last.to = to
    else ranges.push({ from, to })
  }
  return ranges
}

const endOf = ({ type, isCut }: ImageParts) => (isCut ? [END[type]] : [])

/** Returns the picture without metadata as slices of the file, so that no bytes are copied. */
export const pictureOf = (file: Blob, picture: ImageParts): Blob =>
  new Blob([...includedRanges(picture).map(({ from, to }) => file.slice(from, to)), ...endOf(picture)])

/** The picture without metadata, as new bytes. */
export function pictureBytes(bytes: ArrayBuffer, picture: ImageParts): ArrayBuffer {
  const pieces = [
    ...includedRanges(picture).map(({ from, to }) => new Uint8Array(bytes, from, to - from)),
    ...endOf(picture),
  ]
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined.buffer
}

/** Returns the parts before the pixels. They contain the picture's size. */
export function headerBytes(bytes: ArrayBuffer, picture: ImageParts): ArrayBuffer {
  const pixelsAt = picture.parts.findIndex(({ isPixels }) => isPixels)
  const parts = pixelsAt < 0 ? picture.parts : picture.parts.slice(0, pixelsAt)
  return pictureBytes(bytes, { ...picture, parts, isCut: false })
}

/** Number of bytes of the picture without metadata. */
export const pictureSize = (picture: ImageParts): number =>
  [
    ...includedRanges(picture).map(({ from, to }) => to - from),
    ...endOf(picture).map(({ length }) => length),
  ].reduce((sum, length) => sum + length, 0)

/** Adds an EXIF segment that has only the orientation (2–8). The orientation 1 needs no segment. */
export function withOrientation(jpeg: ArrayBuffer, orientation: number): ArrayBuffer {
  if (orientation === 1) return jpeg
  // EXIF is a TIFF header (TIFF 6, big endian) with entries, here one.
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8]
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  const body = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff, 0, 1, ...entry, 0, 0, 0, 0]
  const segment = [0xff, 0xe1, 0, body.length + 2, ...body]
  const output = new Uint8Array(jpeg.byteLength + segment.length)
  const start = 2
  output.set(new Uint8Array(jpeg, 0, start))
  output.set(segment, start)
  output.set(new Uint8Array(jpeg, start), start + segment.length)
  return output.buffer
}

const latin1 = new TextDecoder('latin1')
const PAGE = /<!doctype\s+html|<html[\s>]|<script[\s>]/i

/** True if an included part contains HTML, which a browser could run as a page. Compressed pixels are not searched. */
const hasPage = (all: Uint8Array, { from, to, isPixels, isIncluded }: ImagePart) =>
  isIncluded && !isPixels && PAGE.test(latin1.decode(all.subarray(from, to)))

type Found = Pick<ImageParts, 'parts' | 'isCut'>

/** PNG chunks that draw the picture, with their maximum length. All other chunks are left out. */
const PNG_INCLUDED: Readonly<Record<string, number>> = {
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
  const parts: ImagePart[] = [{ from: 0, to: PNG_MAGIC.length, isIncluded: true, isPixels: false }]
  const view = new DataView(all.buffer)
  for (let from = PNG_MAGIC.length; from + 12 <= all.length;) {
    const length = view.getUint32(from)
    const name = textAt(all, from + 4, 4)
    const to = from + 12 + length
    if (to > all.length) break
    const isIncluded = length <= (PNG_INCLUDED[name] ?? -1)
    parts.push({ from, to, isIncluded, isPixels: name === 'IDAT' })
    if (name === 'IEND') return { parts, isCut: !isIncluded }
    from = to
  }
  return { parts, isCut: true }
}

function jpegParts(all: Uint8Array): Found {
  const parts: ImagePart[] = [{ from: 0, to: 2, isIncluded: true, isPixels: false }]
  const view = new DataView(all.buffer)
  for (let from = markerAfter(all, 2); from + 2 <= all.length;) {
    const marker = all[from + 1] ?? 0
    if (marker === EOI)
      return { parts: [...parts, { from, to: from + 2, isIncluded: true, isPixels: false }], isCut: false }
    if (isBare(marker)) {
      from = markerAfter(all, from + 2)
      continue
    }
    if (from + 4 > all.length) break
    const to = from + 2 + view.getUint16(from + 2)
    if (to > all.length || to < from + 4) break
    const isIncluded = isJpegIncluded(all.subarray(from + 4, to), marker)
    parts.push({ from, to, isIncluded, isPixels: false })
    const next = marker === SOS ? scanEnd(all, to) : markerAfter(all, to)
    // Compressed data is part of the picture only if the scan header before it is valid.
    if (marker === SOS) parts.push({ from: to, to: next, isIncluded, isPixels: true })
    from = next
  }
  return { parts, isCut: true }
}

/** True for markers without a length. Such markers are invalid between segments, and the parser skips them. */
const isBare = (marker: number) => marker < 0xc0 || (marker >= 0xd0 && marker <= SOI)

function markerAfter(all: Uint8Array, start: number): number {
  for (let at = all.indexOf(0xff, start); at >= 0; at = all.indexOf(0xff, at + 1)) {
    const next = all[at + 1]
    if (next !== undefined && next !== 0 && next !== 0xff) return at
  }
  return all.length
}

function scanEnd(all: Uint8Array, start: number): number {
  let at = markerAfter(all, start)
  while ((all[at + 1] ?? 0) >= 0xd0 && (all[at + 1] ?? 0) <= 0xd7) at = markerAfter(all, at + 2)
  return at
}

/** True for segments that draw the picture, in their standard form. Another form may hide other data. */
function isJpegIncluded(body: Uint8Array, marker: number): boolean {
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

/** True if the segment consists of complete tables. Each table begins with one byte for class and number. */
function areTables(body: Uint8Array, lengthAt: (at: number) => number): boolean {
  let at = 0
  while (at < body.length && ((body[at] ?? 0) & 0xec) === 0) at += lengthAt(at)
  return at === body.length
}

const textAt = (all: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...all.subarray(from, from + length))
