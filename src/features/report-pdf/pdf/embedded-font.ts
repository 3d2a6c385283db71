/** A font in a PDF: letters are written by numbers that are given out as they are used, and only those are embedded. */
import { deflated, hex4, utf16Hex, type PdfFile } from './pdf-file.ts'
import type { TrueType } from './true-type.ts'

/** Drawn where the font has no glyph, as Japanese printers do. */
const MISSING = '〓'
/** What joins letters or chooses between their shapes, and what no printer draws. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/u
/** At most so many rows in one block of a ToUnicode map (PDF 1.7, 9.10.3). */
const ROWS_MAX = 100

export interface EmbeddedFont {
  /** In hexadecimal, for `Tj`. */
  encode(text: string): string
  /** At this size, in points. */
  widthOf(text: string, size: number): number
  /** Characters that the font does not have, in the order they came. */
  missing(): readonly string[]
  /** Writes it. @returns the number of its object */
  embed(file: PdfFile): Promise<number>
}

interface Letter {
  text: string
  glyph: number
}

export function createEmbeddedFont(font: TrueType, name: string): EmbeddedFont {
  const letters = new Map<string, number>()
  const used: Letter[] = []
  const missing = new Set<string>()
  const glyphOf = (text: string) => {
    const found = font.glyphOf(text.codePointAt(0) ?? 0)
    if (found !== 0) return found
    missing.add(text)
    return font.glyphOf(MISSING.codePointAt(0) ?? 0)
  }
  const numberOf = (text: string) => {
    const known = letters.get(text)
    if (known !== undefined) return known
    // glyph 0 of the embedded font is the one of no character
    const given = used.push({ text, glyph: glyphOf(text) })
    letters.set(text, given)
    return given
  }
  const lettersIn = (text: string) => Array.from(text).filter((each) => !UNSEEN.test(each))
  const glyphIn = (text: string) => used[numberOf(text) - 1]?.glyph ?? 0
  return {
    encode: (text) =>
      lettersIn(text)
        .map((each) => hex4(numberOf(each)))
        .join(''),
    widthOf: (text, size) =>
      (lettersIn(text).reduce((sum, each) => sum + font.widthOf(glyphIn(each)), 0) * size) / 1_000,
    missing: () => [...missing],
    embed: (file) => embed(file, font, name, used),
  }
}

async function embed(file: PdfFile, font: TrueType, name: string, used: readonly Letter[]): Promise<number> {
  const bytes = font.subset(used.map(({ glyph }) => glyph))
  const whole = `/Filter /FlateDecode /Length1 ${bytes.length}`
  const program = file.add(whole, await deflated(bytes))
  const { ascent, descent, box } = font
  // a tag of six letters says that it is a part of the font
  const base = `/AAAAAA+${name}`
  const descriptor = file.add(
    `/Type /FontDescriptor /FontName ${base} /Flags 4 /FontBBox [${box.join(' ')}] /ItalicAngle 0 ` +
      `/Ascent ${ascent} /Descent ${descent} /CapHeight ${ascent} /StemV 80 /FontFile2 ${program} 0 R`,
  )
  const widths = used.map(({ glyph }) => font.widthOf(glyph)).join(' ')
  const descendant = file.add(
    `/Type /Font /Subtype /CIDFontType2 /BaseFont ${base} /CIDToGIDMap /Identity /DW 1000 /W [1 [${widths}]] ` +
      `/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R`,
  )
  const unicode = file.add('/Filter /FlateDecode', await deflated(unicodeMap(used)))
  return file.add(
    `/Type /Font /Subtype /Type0 /BaseFont ${base} /Encoding /Identity-H ` +
      `/DescendantFonts [${descendant} 0 R] /ToUnicode ${unicode} 0 R`,
  )
}

/** Which text each number is of: what is copied, searched and read aloud. */
function unicodeMap(used: readonly Letter[]): string {
  const rows = used.map(({ text }, at) => `<${hex4(at + 1)}> <${utf16Hex(text)}>`)
  const blocks = Array.from({ length: Math.ceil(rows.length / ROWS_MAX) }, (_, at) => {
    const part = rows.slice(at * ROWS_MAX, (at + 1) * ROWS_MAX)
    return `${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`
  })
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <FFFF> endcodespacerange',
    ...blocks,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n')
}
