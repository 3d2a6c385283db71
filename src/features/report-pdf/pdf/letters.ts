/**
 * The letters of a PDF. Each character gets a glyph of its own in the embedded part of the font: characters that share an
 * outline (〜 and ～) are found apart, and nothing is shaped, which takes fontkit 2 ms a line.
 */
import { create, type Font, type Glyph } from '@cantoo/fontkit'
import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib'

/** In the place of a character that the font does not have. */
const NO_GLYPH = '〓'
/** A character, with its variation selector if there is one. */
const LETTER = /[^][\uFE00-\uFE0F\u{E0100}-\u{E01EF}]?/gu
/** A base with voiced-sound marks or accents; other characters are not normalized, because that changes 神 into 神. */
const ACCENTED = /[^\p{M}][\u0300-\u036F\u3099\u309A]+/gu

/** Controls and marks of direction, but not what a font of one's own would have. */
const INVISIBLE = /^[\p{Cc}\p{Cf}]+$/u

export interface Letters {
  font: PDFFont
  /** Replaces what the font does not have; what nobody sees is removed. */
  drawable(text: string): string
  widthOf(text: string, size: number): number
  /** Characters that were replaced. */
  missing(): readonly string[]
}

export async function embedLetters(pdf: PDFDocument, bytes: ArrayBuffer): Promise<Letters> {
  const font = create(new Uint8Array(bytes))
  if (!('createSubset' in font)) throw new Error('report-pdf: a font collection')
  pdf.registerFontkit({ create: () => withOwnGlyphs(font) })
  const embedded = await pdf.embedFont(bytes, { subset: true })
  const missing = new Set<string>()
  const segmenter = new Intl.Segmenter('ja', { granularity: 'grapheme' })
  const isDrawable = (grapheme: string) =>
    (grapheme.match(LETTER) ?? []).every((letter) => (font.glyphsForString(letter)[0]?.id ?? 0) !== 0)
  const drawn = (grapheme: string) => {
    if (/^[\r\n]+$/.test(grapheme)) return '\n'
    if (INVISIBLE.test(grapheme)) return ''
    if (isDrawable(grapheme)) return grapheme
    missing.add(grapheme)
    return NO_GLYPH
  }
  return {
    font: embedded,
    drawable: (text) =>
      Array.from(segmenter.segment(composed(text)), ({ segment }) => drawn(segment)).join(''),
    widthOf: (text, size) => embedded.widthOfTextAtSize(text, size),
    missing: () => [...missing],
  }
}

const composed = (text: string) =>
  text.replaceAll('\t', ' ').replace(ACCENTED, (accented) => accented.normalize('NFC'))

type OwnGlyph = Pick<Glyph, 'id' | 'codePoints' | 'advanceWidth'>

/** The font as pdf-lib uses it: a glyph's id is the number of its character, not of its outline. */
function withOwnGlyphs(font: Font) {
  const glyphs = new Map<string, OwnGlyph>()
  const outlines: number[] = [0]
  const glyphOf = (letter: string): OwnGlyph => {
    const known = glyphs.get(letter)
    if (known) return known
    const { id = 0, advanceWidth = 0 } = font.glyphsForString(letter)[0] ?? {}
    const codePoints = Array.from(letter, (each) => each.codePointAt(0) ?? 0)
    const own = { id: outlines.push(id) - 1, codePoints, advanceWidth }
    glyphs.set(letter, own)
    return own
  }
  const subset = font.createSubset()
  return Object.assign(font, {
    layout: (text: string) => ({ glyphs: (text.match(LETTER) ?? []).map(glyphOf) }),
    createSubset: () => ({
      includeGlyph: ({ id }: OwnGlyph) => id,
      // its list of outlines is not in fontkit's types
      encode: () => Object.assign(subset, { glyphs: [...outlines] }).encode(),
    }),
  })
}
