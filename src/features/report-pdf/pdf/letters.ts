/**
 * Embeds the letters of a PDF. Each character gets its own glyph id, even if two characters share an outline (〜 and ～),
 * so that search and copy in the PDF give the written character. Text is not shaped (ligatures, kerning), because
 * fontkit takes 2 ms a line for it.
 */
import { create, type Font, type Glyph } from '@cantoo/fontkit'
import type { PDFDocument } from '@cantoo/pdf-lib'

const NO_GLYPH = '〓'
/** A character with its variation selector, if any. */
const LETTER = /[^][\uFE00-\uFE0F\u{E0100}-\u{E01EF}]?/gu
/** A base character with marks or accents. Only these are normalized: NFC would change the kanji U+FA19 into 神. */
const ACCENTED = /[^\p{M}][\u0300-\u036F\u3099\u309A]+/gu

const INVISIBLE = /^[\p{Cc}\p{Cf}]+$/u

export type Letters = Awaited<ReturnType<typeof embedLetters>>

export async function embedLetters(pdf: PDFDocument, bytes: ArrayBuffer) {
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
    /** Returns the text without invisible characters, and with NO_GLYPH for characters that the font lacks. */
    drawable: (text: string) =>
      Array.from(segmenter.segment(composed(text)), ({ segment }) => drawn(segment)).join(''),
    widthOf: (text: string, size: number) => embedded.widthOfTextAtSize(text, size),
    missing: (): readonly string[] => [...missing],
  }
}

const composed = (text: string) =>
  text.replaceAll('\t', ' ').replace(ACCENTED, (accented) => accented.normalize('NFC'))

type OwnGlyph = Pick<Glyph, 'id' | 'codePoints' | 'advanceWidth'>

/**
 * Adapts the font for pdf-lib, which asks `layout` for glyphs and `encode` for the embedded subset. A glyph's id is its
 * index in `outlines`, which has the font's outline for each character. Index 0 is .notdef.
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
      // pdf-lib has called `layout` before, which created the glyph, so nothing is left to do.
      includeGlyph: ({ id }: OwnGlyph) => id,
      encode: () => Object.assign(subset, { glyphs: [...outlines] }).encode(),
    }),
  })
}
