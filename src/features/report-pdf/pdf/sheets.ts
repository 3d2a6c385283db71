/**
 * Sheets of A4 that are written from top to bottom: titles, rows of a label and a value, pictures. What does not fit goes on
 * on the next sheet. Each block of text is tagged for reading aloud, and each title has its bookmark.
 */
import { PAPER, writeDocument } from './document.ts'
import { createEmbeddedFont } from './embedded-font.ts'
import { linesOf } from './line-breaks.ts'
import {
  BOTTOM,
  createPaper,
  foot,
  LABEL_WIDTH,
  LEADING,
  MARGIN,
  QUIET,
  SIZE,
  WIDTH,
  type Strokes,
} from './paper.ts'
import { createPdfFile } from './pdf-file.ts'
import { cellOf, fitted, type Box, type PerSheet, type Picture } from './pictures.ts'
import type { TrueType } from './true-type.ts'

/** Below a heading. */
const PICTURES: Box = {
  left: MARGIN,
  bottom: BOTTOM,
  width: WIDTH,
  height: PAPER.height - MARGIN - BOTTOM - SIZE.heading * LEADING * 2,
}

export interface Sheets {
  title(text: string): void
  /** @param state small, at the right */
  heading(text: string, state?: string): void
  row(label: string, value: string): void
  text(text: string): void
  /**
   * One of several pictures, from 0, in its place among so many on a sheet. The first comes under a heading on a sheet of its
   * own.
   * @param lines under it, or in its place where there is none
   */
  picture(picture: Picture | null, lines: readonly string[], at: number, perSheet: PerSheet): void
  newSheet(): void
  /** Lines as a hand has drawn them, in a frame. @param size of the field they were drawn in */
  strokes(strokes: Strokes, size: { width: number; height: number }, name: string): void
  /** Characters that the font does not have. */
  missing(): readonly string[]
  finish(about: {
    title: string
    footer: string
    pageText: (page: number, of: number) => string
  }): Promise<Blob>
}

export function createSheets(trueType: TrueType, fontName: string): Sheets {
  const font = createEmbeddedFont(trueType, fontName)
  const paper = createPaper(font)
  const { paragraph, draw, room } = paper
  const fits = (text: string) => font.widthOf(text, SIZE.text) <= WIDTH - LABEL_WIDTH
  return {
    title(text) {
      paragraph(text, { size: SIZE.title, bold: true, tag: 'H1' })
      paper.skip(6)
    },
    heading(text, state = '') {
      // never alone at the end of a sheet
      room(SIZE.heading * LEADING * 3)
      paper.skip(SIZE.heading)
      paper.bookmark(text)
      const right = WIDTH - font.widthOf(state, SIZE.text)
      const beside = paper.top() - SIZE.heading * LEADING
      paragraph(text, { size: SIZE.heading, bold: true, tag: 'H2', width: right - 8 })
      if (state !== '') draw('P', { text: state, size: SIZE.text, left: MARGIN + right, top: beside })
      paper.rule()
    },
    row(label, value) {
      linesOf(value, fits).forEach((line, at) => {
        room(SIZE.text * LEADING)
        paper.skip(SIZE.text * LEADING)
        const of = { size: SIZE.text, top: paper.top() }
        if (at === 0) draw('P', { ...of, text: label, left: MARGIN, grey: QUIET })
        draw('P', { ...of, text: line, left: MARGIN + LABEL_WIDTH })
      })
    },
    text: (text) => paragraph(text, { size: SIZE.text, tag: 'P' }),
    newSheet: paper.newSheet,
    strokes: paper.strokes,
    picture(picture, lines, at, perSheet) {
      if (at > 0 && at % perSheet === 0) paper.newSheet()
      const cell = cellOf(at % perSheet, perSheet, PICTURES)
      const fitsCell = (text: string) => font.widthOf(text, SIZE.small) <= cell.width
      const below = lines.flatMap((line) => linesOf(line, fitsCell))
      const step = SIZE.small * LEADING
      const above = {
        ...cell,
        bottom: cell.bottom + below.length * step,
        height: cell.height - below.length * step,
      }
      const place = picture && fitted(picture, above)
      if (picture && place) paper.show(picture, place)
      const top = place ? place.bottom : above.bottom + above.height
      const of = { size: SIZE.small, left: cell.left }
      below.forEach((text, line) => draw('P', { ...of, text, top: top - (line + 1) * step }))
    },
    missing: font.missing,
    async finish({ title, footer, pageText }) {
      const { pages, bookmarks } = paper
      pages.forEach((page, at) => page.operations.push(...foot(font, footer, pageText(at + 1, pages.length))))
      const file = createPdfFile()
      return writeDocument(file, { font: await font.embed(file), pages, bookmarks, title })
    },
  }
}
