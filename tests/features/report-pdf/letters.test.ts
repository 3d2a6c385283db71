import { readFileSync } from 'node:fs'
import { create } from '@cantoo/fontkit'
import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { embedLetters } from '#features/report-pdf/pdf/letters.ts'
import { hasPoppler, popplerPages, popplerText, readPdf, type GreyPage } from '../../support/pdf-reader.ts'

const PATH = 'node_modules/@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf'
const font = Uint8Array.from(readFileSync(PATH)).buffer

/** Every character of the font that is drawn. */
const all = create(new Uint8Array(font))
const characters = ('characterSet' in all ? all.characterSet : [])
  .map((code) => String.fromCodePoint(code))
  .filter((each) => /^[^\p{Z}\p{C}\p{M}]$/u.test(each))

/** Names of people and places, and what looks alike. */
const SPECIAL = Array.from(
  '髙﨑德濵𠮷㎡℃〜～神\u{FA19}福\u{FA1B}\u{FA1E}\u{FA1D}\u{FA1C}葛辻祇①㈱㍻㌔ｶﾅガぱ〓',
)

const CELL = 24
const COLUMNS = 24
const ROWS = 34

type Draw = (page: ReturnType<PDFDocument['addPage']>, letter: string, x: number, y: number) => void

/** Each letter in a cell of its own. */
function drawGrid(pdf: PDFDocument, letters: readonly string[], draw: Draw): void {
  for (let from = 0; from < letters.length; from += COLUMNS * ROWS) {
    const page = pdf.addPage([COLUMNS * CELL, ROWS * CELL])
    letters.slice(from, from + COLUMNS * ROWS).forEach((letter, at) => {
      const [column, row] = [at % COLUMNS, Math.floor(at / COLUMNS)]
      draw(page, letter, column * CELL + 4, (ROWS - 1 - row) * CELL + 6)
    })
  }
}

async function partOfFont(letters: readonly string[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const own = await embedLetters(pdf, font)
  drawGrid(pdf, letters, (page, letter, x, y) =>
    page.drawText(own.drawable(letter), { font: own.font, size: 16, x, y }),
  )
  return pdf.save()
}

/** Drawn with the whole font, by its own numbers of glyphs. */
async function wholeFont(documents: readonly (readonly string[])[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const whole = create(new Uint8Array(font))
  if (!('glyphForCodePoint' in whole)) throw new Error('a collection')
  pdf.registerFontkit({
    create: () =>
      Object.assign(whole, {
        layout: (text: string) => ({ glyphs: [whole.glyphForCodePoint(text.codePointAt(0) ?? 0)] }),
      }),
  })
  const own = await pdf.embedFont(font)
  for (const letters of documents)
    drawGrid(pdf, letters, (page, letter, x, y) => page.drawText(letter, { font: own, size: 16, x, y }))
  return pdf.save()
}

const DPI = 108
const inCell = (page: GreyPage, at: number): number[] => {
  const side = (CELL * DPI) / 72
  const [left, top] = [(at % COLUMNS) * side, Math.floor(at / COLUMNS) * side]
  return Array.from({ length: side * side }, (_, pixel) =>
    page.at(left + (pixel % side), top + Math.floor(pixel / side)),
  )
}
const inkOf = (pixels: readonly number[]) => pixels.reduce((sum, each) => sum + 255 - each, 0)

/** The letters whose picture differs, or that leave no ink. */
function wronglyDrawn(
  letters: readonly string[],
  own: readonly GreyPage[],
  whole: readonly GreyPage[],
): string[] {
  const perPage = COLUMNS * ROWS
  return letters.filter((_, at) => {
    const [mine, theirs] = [own, whole].map((pages) => pages[Math.floor(at / perPage)])
    if (!mine || !theirs) return true
    const [drawn, meant] = [inCell(mine, at % perPage), inCell(theirs, at % perPage)]
    const off = drawn.reduce((sum, each, pixel) => sum + Math.abs(each - (meant[pixel] ?? 0)), 0)
    return inkOf(meant) === 0 || off > inkOf(meant) * 0.01
  })
}

/** Numbers that are the same on every run. */
function chosen(count: number, seed: number): string[] {
  const found = new Set<string>()
  for (let at = seed; found.size < count; at = (at * 48_271) % 2_147_483_647)
    found.add(characters[at % characters.length] ?? '')
  return [...found]
}

/** 24 documents of 5 to 45 characters: a fault of a subset shows in small ones. */
const small = [SPECIAL, ...Array.from({ length: 23 }, (_, at) => chosen(5 + Math.round(at * 1.74), 7 + at))]

const isInstalled = hasPoppler()

describe('[issue 54] letters of a PDF', () => {
  test('small documents draw each character as the whole font does', { timeout: 120_000 }, async () => {
    const whole = isInstalled ? popplerPages(await wholeFont(small), DPI) : []
    for (const [at, letters] of small.entries()) {
      const pdf = await partOfFont(letters)
      expect((await readPdf(pdf)).pages[0]?.replaceAll('\n', '')).toBe(letters.join(''))
      if (!isInstalled) continue
      expect(wronglyDrawn(letters, popplerPages(pdf, DPI), whole.slice(at, at + 1))).toEqual([])
    }
  })

  test('another reader finds the characters that share an outline', async () => {
    const pdf = await partOfFont(['〜', '～', '\u{FA19}', '神', '𠮷'])
    const { text, errors } = isInstalled ? popplerText(pdf) : { text: '〜～\u{FA19}神𠮷', errors: '' }
    expect([text.replaceAll(/\s/g, ''), errors]).toEqual(['〜～\u{FA19}神𠮷', ''])
  })

  test.each([
    ['😀と文字', '〓と文字', ['😀']],
    ['👨‍👩‍👧です', '〓です', ['👨‍👩‍👧']],
    ['a\u200bb\u202ec\u0007', 'abc', []],
    ['か\u3099は\u309a e\u0301', 'がぱ é', []],
    ['葛\u{E0100}城', '葛\u{E0100}城', []],
    ['\u{FA19}社', '\u{FA19}社', []],
    ['一\r\n二\t三', '一\n二 三', []],
    ['กข', '〓〓', ['ก', 'ข']],
  ])('%j is drawn as %j, and says what it does not have', async (text, drawn, missing) => {
    const letters = await embedLetters(await PDFDocument.create(), font)
    expect([letters.drawable(text), letters.missing()]).toEqual([drawn, missing])
  })
})
