/** Sheets as they fill up from top to bottom: what is drawn goes where the last one ended. */
import { PAPER, pictureName, type Bookmark, type Page } from './document.ts'
import type { EmbeddedFont } from './embedded-font.ts'
import { linesOf } from './line-breaks.ts'
import { number } from './pdf-file.ts'
import type { Box, Picture } from './pictures.ts'
import type { Tagged } from './structure.ts'

/** In points: 15 mm around. */
export const MARGIN = 42.5
export const WIDTH = PAPER.width - 2 * MARGIN
export const SIZE = { title: 18, heading: 12, text: 10, small: 8 }
export const LEADING = 1.55
export const LABEL_WIDTH = 110
/** Letters are drawn a little thicker where they have to be bold: a second font would be as large as the first. */
const BOLD_STROKE = 0.35
/** The grey of labels and feet. */
export const QUIET = 0.35
/** Of the drawing area below the footer's line. */
export const BOTTOM = MARGIN + 16

/** Of a signature. */
const STROKES_WIDTH = 240

export type Strokes = readonly (readonly [number, number][])[]

interface Paragraph {
  size: number
  tag: Tagged['tag']
  bold?: boolean
  width?: number
}

/** Sheets as they fill up: what is drawn goes where the last one ended. */
export function createPaper(font: EmbeddedFont) {
  const pages: Page[] = []
  const bookmarks: Bookmark[] = []
  let top = 0
  const newSheet = () => {
    pages.push({ operations: [], tags: [], pictures: [] })
    top = PAPER.height - MARGIN
  }
  const room = (height: number) => {
    if (pages.length === 0 || top - height < BOTTOM) newSheet()
  }
  const mark = (tag: Pick<Tagged, 'tag' | 'alt'>, operation: string) => {
    const page = pages.at(-1)
    const id = (page?.tags.push(tag) ?? 0) - 1
    page?.operations.push(`/${tag.tag} << /MCID ${id} >> BDC`, operation, 'EMC')
  }
  const draw = (tag: Tagged['tag'], text: Letters) => mark({ tag }, letters(font, text))
  return {
    pages,
    bookmarks,
    newSheet,
    room,
    draw,
    show(picture: Picture, { left, bottom, width, height }: Box) {
      const id = (pages.at(-1)?.pictures.push(picture) ?? 0) - 1
      const place = [width, 0, 0, height, left, bottom].map(number).join(' ')
      mark({ tag: 'Figure', alt: picture.name }, `q ${place} cm /${pictureName(id)} Do Q`)
    },
    strokes(strokes: Strokes, size: { width: number; height: number }, name: string) {
      const scale = STROKES_WIDTH / size.width
      const height = size.height * scale
      room(height + SIZE.text)
      top -= height + SIZE.text
      mark(
        { tag: 'Figure', alt: name },
        framed(strokes, scale, { left: MARGIN, bottom: top, width: STROKES_WIDTH, height }),
      )
    },
    top: () => top,
    skip: (height: number) => void (top -= height),
    bookmark: (text: string) =>
      void bookmarks.push({ text, page: pages.length - 1, top: top + SIZE.heading }),
    rule() {
      pages.at(-1)?.operations.push(ruled(top - 5))
      top -= 7
    },
    paragraph(text: string, { size, tag, bold = false, width = WIDTH }: Paragraph) {
      for (const line of linesOf(text, (each) => font.widthOf(each, size) <= width)) {
        room(size * LEADING)
        top -= size * LEADING
        draw(tag, { text: line, size, left: MARGIN, top, bold })
      }
    },
  }
}

/** What a hand has drawn, in a frame; there the y of a point counts from the top. */
function framed(strokes: Strokes, scale: number, { left, bottom, width, height }: Box): string {
  const frame = [left, bottom, width, height].map(number).join(' ')
  const lines = strokes.map((points) => {
    const path = points.map(([x, y], nth) => {
      const at = `${number(left + x * scale)} ${number(bottom + height - y * scale)}`
      return `${at} ${nth === 0 ? 'm' : 'l'}`
    })
    return `${path.join(' ')} S`
  })
  return ['0.75 w 0.6 G', `${frame} re S`, '1.4 w 1 J 1 j 0 G', ...lines, '0 J 0 j'].join(' ')
}

/** What stands on every sheet is not read aloud. */
export function foot(font: EmbeddedFont, text: string, pageText: string): string[] {
  const of = { size: SIZE.small, top: MARGIN, grey: QUIET }
  const right = MARGIN + WIDTH - font.widthOf(pageText, SIZE.small)
  return [
    '/Artifact BMC',
    letters(font, { ...of, text, left: MARGIN }),
    letters(font, { ...of, text: pageText, left: right }),
    'EMC',
  ]
}

interface Letters {
  text: string
  size: number
  left: number
  top: number
  bold?: boolean
  /** 0 black, 1 white. */
  grey?: number
}

function letters(font: EmbeddedFont, { text, size, left, top, bold = false, grey = 0 }: Letters): string {
  const place = `${number(left)} ${number(top)} Td`
  const weight = bold ? `2 Tr ${BOLD_STROKE} w ${grey} G` : '0 Tr'
  return `BT /F1 ${size} Tf ${weight} ${grey} g ${place} <${font.encode(text)}> Tj ET`
}

const ruled = (top: number) =>
  `/Artifact BMC 0.75 w 0.6 G ${MARGIN} ${number(top)} m ${number(MARGIN + WIDTH)} ${number(top)} l S EMC`
