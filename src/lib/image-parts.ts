/**
 * A PNG or a JPEG as its parts: what draws the picture is kept, what only tells of it (EXIF, XMP, comments, thumbnails,
 * maker notes) and whatever stands behind its end is not. Strict: a file that is not made of whole parts has none. JPEG
 * (ITU T.81 B), PNG (W3C PNG 5.3).
 */
export interface ImagePart {
  /** Bytes from, up to. */
  from: number
  to: number
  isKept: boolean
  /** Compressed pixels: nothing can be read in them. */
  isPixels: boolean
}

/** @returns null for what is no PNG or JPEG from its first part to its last */
export function imageParts(bytes: ArrayBuffer): ImagePart[] | null {
  const all = new Uint8Array(bytes)
  const view = new DataView(bytes)
  const parts = all[0] === 0x89 ? pngParts(all, view) : jpegParts(all, view)
  const end = parts?.at(-1)?.to
  if (!parts || end === undefined) return null
  const tail = { from: end, to: all.length, isKept: false, isPixels: false }
  return end < all.length ? [...parts, tail] : parts
}

/** How many bytes `joined` has. */
export const keptBytes = (parts: readonly ImagePart[]): number =>
  parts.reduce((sum, { from, to, isKept }) => (isKept ? sum + to - from : sum), 0)

/** The kept parts one after the other. */
export function joined(bytes: ArrayBuffer, parts: readonly ImagePart[]): ArrayBuffer {
  const whole = new Uint8Array(keptBytes(parts))
  let at = 0
  for (const { from, to } of parts.filter(({ isKept }) => isKept)) {
    whole.set(new Uint8Array(bytes, from, to - from), at)
    at += to - from
  }
  return whole.buffer
}

const latin1 = new TextDecoder('latin1')
const PAGE = /<!doctype\s+html|<html[\s>]|<script[\s>]/i

/** Whether a web page is hidden in what is not the picture itself. */
export const holdsPage = (bytes: ArrayBuffer, parts: readonly ImagePart[]) =>
  parts.some(
    ({ from, to, isPixels }) => !isPixels && PAGE.test(latin1.decode(new Uint8Array(bytes, from, to - from))),
  )

const PNG_MAGIC = 8
/** What draws the picture; the rest is text, times, EXIF and animation. */
const PNG_KEPT = 'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs'.split(' ')

function pngParts(all: Uint8Array, view: DataView): ImagePart[] | null {
  const parts: ImagePart[] = [{ from: 0, to: PNG_MAGIC, isKept: true, isPixels: false }]
  for (let from = PNG_MAGIC; from + 12 <= all.length;) {
    const name = textAt(all, from + 4, 4)
    const to = from + 12 + view.getUint32(from)
    if (to > all.length || (from === PNG_MAGIC && name !== 'IHDR')) return null
    parts.push({ from, to, isKept: PNG_KEPT.includes(name), isPixels: name === 'IDAT' })
    if (name === 'IEND') return parts
    from = to
  }
  return null
}

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda

function jpegParts(all: Uint8Array, view: DataView): ImagePart[] | null {
  if (all[0] !== 0xff || all[1] !== SOI) return null
  const parts: ImagePart[] = [{ from: 0, to: 2, isKept: true, isPixels: false }]
  let from = 2
  while (from + 2 <= all.length) {
    const marker = all[from + 1] ?? 0
    if (all[from] !== 0xff) return null
    if (marker === EOI) return [...parts, { from, to: from + 2, isKept: true, isPixels: false }]
    // a fill byte; a marker without a length has no place between segments
    if (marker === 0xff) from += 1
    else if (from + 4 > all.length || marker < 0xc0 || isBare(marker)) return null
    else {
      const to = from + 2 + view.getUint16(from + 2)
      if (to > all.length || to < from + 4) return null
      parts.push({ from, to, isKept: isJpegKept(all, from, marker), isPixels: false })
      from = marker === SOS ? scanEnd(all, to) : to
      if (marker === SOS) parts.push({ from: to, to: from, isKept: true, isPixels: true })
    }
  }
  return null
}

const isBare = (marker: number) => marker >= 0xd0 && marker <= SOI

/** JFIF, a colour profile, Adobe's colour transform, and all that is no application's and no comment. */
function isJpegKept(all: Uint8Array, from: number, marker: number): boolean {
  if (marker === 0xe0) return textAt(all, from + 4, 5) === 'JFIF\0'
  if (marker === 0xe2) return textAt(all, from + 4, 12) === 'ICC_PROFILE\0'
  if (marker === 0xee) return textAt(all, from + 4, 5) === 'Adobe'
  return marker < 0xe0
}

/** Where the compressed data ends: at the next marker that is neither a stuffed byte nor a restart. */
function scanEnd(all: Uint8Array, start: number): number {
  for (let at = all.indexOf(0xff, start); at >= 0; at = all.indexOf(0xff, at + 1)) {
    const next = all[at + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return all.length
}

const textAt = (all: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...all.subarray(from, from + length))
