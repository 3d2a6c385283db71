/**
 * A TrueType font as a PDF needs it: which glyph a character has, how wide it is, and a font of its own with the glyphs in
 * use and no other.
 *
 * Each character gets a glyph of its own in that font, in the order of first use, so that what a PDF shows and what is
 * searched in it are one table. Glyphs of composed glyphs follow after them.
 */

/** Widths and heights in a PDF count thousandths of the letter's size. */
const PDF_UNITS = 1_000
/** Of the tables of the font these are taken over; `glyf`, `loca` and `hmtx` are made anew. */
const TAKEN = ['cvt ', 'fpgm', 'head', 'hhea', 'maxp', 'prep'] as const
const COMPOSITE = { words: 0x0001, scale: 0x0008, more: 0x0020, xyScale: 0x0040, matrix: 0x0080 }

export interface TrueType {
  /** 0 where the font does not have it. */
  glyphOf(codePoint: number): number
  /** In thousandths of the letter's size. */
  widthOf(glyph: number): number
  ascent: number
  descent: number
  /** Left, bottom, right, top. */
  box: readonly [number, number, number, number]
  /** A font of these glyphs: the first of them is glyph 1 there. */
  subset(glyphs: readonly number[]): Uint8Array<ArrayBuffer>
}

/** @throws where it is no TrueType font with outlines */
export function readTrueType(bytes: ArrayBuffer): TrueType {
  const tables = tablesOf(bytes)
  const table = (name: string) => {
    const found = tables.get(name)
    if (!found) throw new Error(`The font has no table ${name}`)
    return found
  }
  const head = table('head')
  const hhea = table('hhea')
  const hmtx = table('hmtx')
  const longMetrics = hhea.getUint16(34)
  const scaled = (value: number) => Math.round((value * PDF_UNITS) / head.getUint16(18))
  const widthIn = (glyph: number) => hmtx.getUint16(4 * Math.min(glyph, longMetrics - 1))
  // after the rows with both, those of one width have their bearing alone
  const bearingIn = (glyph: number) =>
    hmtx.getInt16(glyph < longMetrics ? 4 * glyph + 2 : 2 * (longMetrics + glyph))
  const outline = outlinesOf(table('glyf'), table('loca'), head.getInt16(50) === 1)
  const box = [36, 38, 40, 42].map((at) => scaled(head.getInt16(at)))
  const [left = 0, bottom = 0, right = 0, top = 0] = box
  return {
    glyphOf: characterMap(table('cmap')),
    widthOf: (glyph) => scaled(widthIn(glyph)),
    ascent: scaled(hhea.getInt16(4)),
    descent: scaled(hhea.getInt16(6)),
    box: [left, bottom, right, top],
    subset(glyphs) {
      const { outlines, sources } = withParts([0, ...glyphs], outline)
      const own = new Map(TAKEN.flatMap((name) => copyOf(name, tables)))
      own.set('glyf', joined(outlines))
      own.set('loca', locations(outlines))
      own.set('hmtx', metrics(sources, widthIn, bearingIn))
      viewOf(own, 'head').setInt16(50, 1)
      viewOf(own, 'hhea').setUint16(34, outlines.length)
      viewOf(own, 'maxp').setUint16(4, outlines.length)
      return fontFile(own)
    },
  }
}

type Bytes = Uint8Array<ArrayBuffer>

function tablesOf(bytes: ArrayBuffer): ReadonlyMap<string, DataView<ArrayBuffer>> {
  const file = new DataView(bytes)
  const tables = new Map<string, DataView<ArrayBuffer>>()
  for (let at = 0; at < file.getUint16(4); at += 1) {
    const entry = 12 + 16 * at
    const name = String.fromCharCode(...new Uint8Array(bytes, entry, 4))
    tables.set(name, new DataView(bytes, file.getUint32(entry + 8), file.getUint32(entry + 12)))
  }
  return tables
}

const copyOf = (name: string, tables: ReadonlyMap<string, DataView<ArrayBuffer>>): [string, Bytes][] => {
  const table = tables.get(name)
  return table ? [[name, new Uint8Array(bytesOf(table, 0, table.byteLength))]] : []
}

const bytesOf = ({ buffer, byteOffset }: DataView<ArrayBuffer>, from: number, to: number) =>
  new Uint8Array(buffer.slice(byteOffset + from, byteOffset + to))

function viewOf(tables: ReadonlyMap<string, Bytes>, name: string): DataView {
  const table = tables.get(name)
  if (!table) throw new Error(`The font has no table ${name}`)
  return new DataView(table.buffer)
}

/** The glyph of a character: format 12 of `cmap` where it is there (all of Unicode), else format 4. */
function characterMap(cmap: DataView<ArrayBuffer>): (codePoint: number) => number {
  const offsets = Array.from({ length: cmap.getUint16(2) }, (_, at) => cmap.getUint32(8 + 8 * at))
  const ofFormat = (format: number) => offsets.find((at) => cmap.getUint16(at) === format)
  const [whole, basic] = [ofFormat(12), ofFormat(4)]
  if (whole !== undefined) return (codePoint) => inGroups(cmap, whole, codePoint)
  if (basic !== undefined) return (codePoint) => inSegments(cmap, basic, codePoint)
  throw new Error('The font has no map of Unicode')
}

function inGroups(cmap: DataView, at: number, codePoint: number): number {
  let [low, high] = [0, cmap.getUint32(at + 12) - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const group = at + 16 + 12 * middle
    if (codePoint < cmap.getUint32(group)) high = middle - 1
    else if (codePoint > cmap.getUint32(group + 4)) low = middle + 1
    else return cmap.getUint32(group + 8) + codePoint - cmap.getUint32(group)
  }
  return 0
}

function inSegments(cmap: DataView, at: number, codePoint: number): number {
  const size = cmap.getUint16(at + 6)
  const ends = at + 14
  for (let segment = 0; codePoint <= 0xffff && segment < size; segment += 2) {
    if (cmap.getUint16(ends + segment) < codePoint) continue
    const start = cmap.getUint16(ends + 2 + size + segment)
    if (start > codePoint) return 0
    const delta = cmap.getInt16(ends + 2 + 2 * size + segment)
    const rangeAt = ends + 2 + 3 * size + segment
    const range = cmap.getUint16(rangeAt)
    const glyph = range === 0 ? codePoint : cmap.getUint16(rangeAt + range + 2 * (codePoint - start))
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
  return 0
}

const outlinesOf =
  (glyf: DataView<ArrayBuffer>, loca: DataView<ArrayBuffer>, isLong: boolean) =>
  (glyph: number): Bytes => {
    const offset = (at: number) => (isLong ? loca.getUint32(4 * at) : 2 * loca.getUint16(2 * at))
    return bytesOf(glyf, offset(glyph), offset(glyph + 1))
  }

/** The outlines of glyphs and, after them, of what they are composed of; `sources` names each of them in the whole font. */
function withParts(glyphs: readonly number[], outline: (glyph: number) => Bytes) {
  const sources = [...glyphs]
  const parts = new Map<number, number>()
  const outlines: Bytes[] = []
  // parts are added while this goes on, and may have parts themselves
  for (let at = 0; at < sources.length; at += 1) {
    const bytes = outline(sources[at] ?? 0)
    for (const place of componentsIn(bytes)) {
      const view = new DataView(bytes.buffer)
      const part = view.getUint16(place)
      const own = parts.get(part) ?? sources.push(part) - 1
      parts.set(part, own)
      view.setUint16(place, own)
    }
    outlines.push(bytes)
  }
  return { sources, outlines }
}

/** Where a composed glyph names its parts. */
function componentsIn(bytes: Bytes): number[] {
  const view = new DataView(bytes.buffer)
  if (bytes.length === 0 || view.getInt16(0) >= 0) return []
  const places: number[] = []
  let at = 10
  for (let more = true; more;) {
    const flags = view.getUint16(at)
    places.push(at + 2)
    const { words, scale, xyScale, matrix } = COMPOSITE
    at += 4 + (flags & words ? 4 : 2)
    at += flags & scale ? 2 : flags & xyScale ? 4 : flags & matrix ? 8 : 0
    more = (flags & COMPOSITE.more) !== 0
  }
  return places
}

const padded = (length: number) => (length + 3) & ~3

function joined(parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + padded(length), 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += padded(part.length)
  }
  return all
}

function locations(outlines: readonly Bytes[]): Bytes {
  const loca = new DataView(new ArrayBuffer(4 * (outlines.length + 1)))
  let at = 0
  outlines.forEach(({ length }, index) => {
    loca.setUint32(4 * index, at)
    at += padded(length)
  })
  loca.setUint32(4 * outlines.length, at)
  return new Uint8Array(loca.buffer)
}

function metrics(
  sources: readonly number[],
  widthIn: (glyph: number) => number,
  bearingIn: (glyph: number) => number,
): Bytes {
  const hmtx = new DataView(new ArrayBuffer(4 * sources.length))
  sources.forEach((glyph, index) => {
    hmtx.setUint16(4 * index, widthIn(glyph))
    hmtx.setInt16(4 * index + 2, bearingIn(glyph))
  })
  return new Uint8Array(hmtx.buffer)
}

/** The tables with their directory. A PDF's reader asks for no checksum. */
function fontFile(tables: ReadonlyMap<string, Bytes>): Bytes {
  const sorted = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const directory = new DataView(new ArrayBuffer(12 + 16 * sorted.length))
  const power = 2 ** Math.floor(Math.log2(sorted.length))
  directory.setUint32(0, 0x00010000)
  directory.setUint16(4, sorted.length)
  directory.setUint16(6, 16 * power)
  directory.setUint16(8, Math.log2(power))
  directory.setUint16(10, 16 * (sorted.length - power))
  let offset = directory.byteLength
  sorted.forEach(([name, { length }], index) => {
    const entry = 12 + 16 * index
    for (let at = 0; at < 4; at += 1) directory.setUint8(entry + at, name.charCodeAt(at))
    directory.setUint32(entry + 8, offset)
    directory.setUint32(entry + 12, length)
    offset += padded(length)
  })
  return joined([new Uint8Array(directory.buffer), ...sorted.map(([, bytes]) => bytes)])
}
