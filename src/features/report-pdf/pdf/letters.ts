/**
 * The letters of a PDF. Each character gets a glyph id of its own in the embedded font, even if two characters share an outline
 * (〜 and ～): a search in the PDF, or a copy, gives the character that was written. Text is not shaped (ligatures, kerning),
 * which would cost fontkit 2 ms a line.
 */
import { create, type Font, type Glyph } from '@cantoo/fontkit'
import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib'

/** Drawn in place of a character that the font does not have. */
const NO_GLYPH = '〓'
/** A character, with its variation selector if there is one. */
const LETTER = /[^][\uFE00-\uFE0F\u{E0100}-\u{E01EF}]?/gu
/** A base with voiced-sound marks or accents. Other characters are not normalized, because that changes U+FA19 into U+795E (神). */
const ACCENTED = /[^\p{M}][\u0300-\u036F\u3099\u309A]+/gu

/** Control characters and direction marks, which are not drawn. */
const INVISIBLE = /^[\p{Cc}\p{Cf}]+$/u

export interface Letters {
  font: PDFFont
  /** Returns a text with NO_GLYPH in place of characters that the font lacks, and without invisible ones. */
  drawable(text: string): string
  widthOf(text: string, size: number): number
  /** Returns the characters that were replaced by NO_GLYPH. */
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

/**
 * The font that pdf-lib gets. pdf-lib asks `layout` for glyphs, and then `encode` for the embedded part of the font. A glyph's id
 * is its index in `outlines`, which has one entry for each character: the font's outline to draw. Entry 0 is .notdef.
 */
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
      // `layout` has added the glyph.
      includeGlyph: ({ id }: OwnGlyph) => id,
      // fontkit's types do not include the subset's list of outlines.
      encode: () => Object.assign(subset, { glyphs: [...outlines] }).encode(),
    }),
  })
}
