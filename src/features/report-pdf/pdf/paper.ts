/** A4 sheets that fill from top to bottom. Each block is drawn below the previous one. */
import { grayscale, PageSizes, TextRenderingMode, type PDFDocument, type PDFPage } from '@cantoo/pdf-lib'
import { drawTagged, type Bookmark, type Tagged } from './outline.ts'
import type { Letters } from './letters.ts'
import { linesOf } from '#lib/line-breaks.ts'

export const [PAPER_WIDTH, PAPER_HEIGHT] = PageSizes.A4
/** Margin on all sides in points (15 mm). */
export const MARGIN = 42.5
export const WIDTH = PAPER_WIDTH - 2 * MARGIN
export const SIZE = { title: 18, heading: 12, text: 10, small: 8 }
export const LEADING = 1.55
/** Lower edge of the drawing area, above the footer, in points. */
const BOTTOM = MARGIN + 16
/** Options of bold text. The letters are outlined, because a bold font would double the download. */
export const BOLD = {
  renderMode: TextRenderingMode.FillAndOutline,
  strokeWidth: 0.35,
  strokeColor: grayscale(0),
}
export const QUIET = grayscale(0.35)
export const LINE = grayscale(0.6)

export type PerSheet = 2 | 6
const GRID = { 2: { columns: 1, rows: 2 }, 6: { columns: 2, rows: 3 } } as const
const GAP = 12

type Writing = Omit<NonNullable<Parameters<PDFPage['drawText']>[1]>, 'size'> & { size: number }

export function createPaper(pdf: PDFDocument, letters: Letters) {
  const bookmarks: Bookmark[] = []
  const tagged: Tagged[] = []
  const tagsOf = new Map<PDFPage, number>()
  // Distance of the next block from the sheet's lower edge, in points.
  let top = 0
  const newSheet = () => {
    top = PAPER_HEIGHT - MARGIN
    return pdf.addPage(PageSizes.A4)
  }
  const last = () => pdf.getPages().at(-1) ?? newSheet()
  const draw = (tag: Tagged['tag'], content: (page: PDFPage) => void, alt?: string) => {
    const page = last()
    const id = tagsOf.get(page) ?? 0
    tagsOf.set(page, id + 1)
    tagged.push({ tag, page, id, alt })
    drawTagged(page, { tag, id }, () => content(page))
  }
  const write = (tag: Tagged['tag'], text: string, options: Writing) =>
    draw(tag, (page) => page.drawText(text, { font: letters.font, ...options }))
  /** Moves down, to a new sheet if the height does not fit. @returns the distance from the sheet's lower edge */
  const down = (height: number) => {
    last()
    if (top - height < BOTTOM) newSheet()
    return (top -= height)
  }
  const linesIn = (text: string, size: number, width: number) =>
    linesOf(letters.drawable(text), (line) => letters.widthOf(line, size) <= width)
  return {
    bookmarks,
    tagged,
    newSheet: () => void newSheet(),
    draw,
    write,
    down,
    linesIn,
    skip: (height: number) => (top -= height),
    /** Begins a new sheet if the height does not fit. @returns the distance from the sheet's lower edge */
    room(height: number) {
      down(height)
      return (top += height)
    },
    bookmark: (text: string) => void bookmarks.push({ text, page: last(), top }),
    paragraph(tag: Tagged['tag'], text: string, options: Omit<Writing, 'x' | 'y'>, width = WIDTH) {
      for (const line of linesIn(text, options.size, width))
        write(tag, line, { x: MARGIN, y: down(options.size * LEADING), ...options })
    },
    /** Draws a line across the sheet. Screen readers skip it. */
    rule() {
      const line = {
        start: { x: MARGIN, y: top - 5 },
        end: { x: MARGIN + WIDTH, y: top - 5 },
        thickness: 0.75,
      }
      drawTagged(last(), null, () => last().drawLine({ ...line, color: LINE }))
      top -= 7
    },
  }
}

export type Paper = ReturnType<typeof createPaper>

/** Returns the position and size of a picture on its sheet. @param at index on the sheet, from 0 */
export function cellOf(at: number, perSheet: PerSheet) {
  const { columns, rows } = GRID[perSheet]
  // The area below the heading and its rule.
  const area = PAPER_HEIGHT - MARGIN - BOTTOM - SIZE.heading * LEADING * 2 - GAP / 2
  const width = (WIDTH - GAP * (columns - 1)) / columns
  const height = (area - GAP * (rows - 1)) / rows
  const row = Math.floor(at / columns)
  return {
    left: MARGIN + (at % columns) * (width + GAP),
    top: BOTTOM + area - row * (height + GAP),
    width,
    height,
  }
}
