/** Draws a report. Each title gets a bookmark, and each block a tag for screen readers. */
import { grayscale, LineCapStyle, PDFDocument, type PDFPage } from '@cantoo/pdf-lib'
import { addBookmarks, addTags, drawTagged } from './outline.ts'
import { drawLabel } from './label.ts'
import { embedLetters, type Letters } from './letters.ts'
import { BOLD, LEADING, LINE, MARGIN, QUIET, SIZE, WIDTH } from './paper.ts'
import { cellOf, createPaper, type Paper, type PerSheet } from './paper.ts'

const LABEL_WIDTH = 110
const SIGNATURE_WIDTH = 240
/** Number of PDF objects that pdf-lib writes before it yields, so that the page stays responsive. */
const OBJECTS_AT_ONCE = 15

/** A picture of a list. `at` is its index, from 0. The first picture begins a new sheet, below a heading. */
interface Placed {
  jpeg: ArrayBuffer | null
  name: string
  /** Texts below the picture, or in its place if `jpeg` is null. */
  lines: readonly string[]
  at: number
  perSheet: PerSheet
}

/** Creates an empty PDF and returns functions that draw its parts. @param font a TrueType file */
export async function createSheets(font: ArrayBuffer) {
  const pdf = await PDFDocument.create()
  const letters = await embedLetters(pdf, font)
  const paper = createPaper(pdf, letters)
  return {
    newSheet: paper.newSheet,
    title(text: string) {
      paper.paragraph('H1', text, { size: SIZE.title, ...BOLD })
      paper.skip(6)
    },
    /** Draws a heading with its bookmark. @param state small text at the right */
    heading(text: string, state = '') {
      // Avoids a heading at the bottom of a sheet.
      paper.room(SIZE.heading * (1 + LEADING * 2))
      paper.bookmark(text)
      // Baseline of the heading's first line, on which the state is drawn.
      const y = paper.skip(SIZE.heading) - SIZE.heading * LEADING
      const right = WIDTH - letters.widthOf(state, SIZE.text)
      paper.paragraph('H2', text, { size: SIZE.heading, ...BOLD }, right - 8)
      if (state !== '') paper.write('P', state, { size: SIZE.text, x: MARGIN + right, y })
      paper.rule()
    },
    row(label: string, value: string) {
      const labels = paper.linesIn(label, SIZE.text, LABEL_WIDTH - 8)
      const values = paper.linesIn(value, SIZE.text, WIDTH - LABEL_WIDTH)
      for (let at = 0; at < Math.max(labels.length, values.length); at += 1) {
        const of = { size: SIZE.text, y: paper.down(SIZE.text * LEADING) }
        if (labels[at]) paper.write('P', labels[at] ?? '', { ...of, x: MARGIN, color: QUIET })
        if (values[at]) paper.write('P', values[at] ?? '', { ...of, x: MARGIN + LABEL_WIDTH })
      }
    },
    text: (text: string) => paper.paragraph('P', text, { size: SIZE.text }),
    picture: (placed: Placed) => drawPicture(pdf, paper, placed),
    strokes: (drawn: Drawn) => drawStrokes(paper, drawn),
    label: (placed: Parameters<typeof drawLabel>[1]) => drawLabel(paper, placed),
    missing: letters.missing,
    attach: (name: string, json: string) =>
      pdf.attach(new TextEncoder().encode(json), name, { mimeType: 'application/json' }),
    /** Finishes the PDF. @param footer null for sheets without one @param breathe yields to the page between two steps */
    async finish(title: string, footer: string | null, breathe: () => Promise<void>): Promise<Blob> {
      const pages = pdf.getPages()
      if (footer !== null)
        pages.forEach((page, at) => drawFoot(page, letters, [footer, `${at + 1} / ${pages.length}`]))
      pdf.setTitle(title, { showInWindowTitleBar: true })
      pdf.setLanguage('ja')
      addBookmarks(pdf, paper.bookmarks)
      addTags(pdf, paper.tagged)
      await breathe()
      return written(pdf, breathe)
    },
  }
}

export type Sheets = Awaited<ReturnType<typeof createSheets>>

async function written(pdf: PDFDocument, breathe: () => Promise<void>): Promise<Blob> {
  // Embeds the font, which takes half of the time of writing the PDF.
  await pdf.flush()
  await breathe()
  const bytes = new Uint8Array(await pdf.save({ objectsPerTick: OBJECTS_AT_ONCE }))
  return new Blob([bytes], { type: 'application/pdf' })
}

async function drawPicture(pdf: PDFDocument, paper: Paper, { jpeg, name, lines, at, perSheet }: Placed) {
  if (at > 0 && at % perSheet === 0) paper.newSheet()
  const cell = cellOf(at % perSheet, perSheet)
  const below = lines.flatMap((line) => paper.linesIn(line, SIZE.small, cell.width))
  const step = SIZE.small * LEADING
  let bottom = cell.top
  if (jpeg) {
    const image = await pdf.embedJpg(jpeg)
    const { width, height } = image.scaleToFit(cell.width, cell.height - below.length * step)
    bottom -= height
    const box = { x: cell.left + (cell.width - width) / 2, y: bottom, width, height }
    paper.draw('Figure', (page) => page.drawImage(image, box), name)
  }
  below.forEach((text, line) =>
    paper.write('P', text, { size: SIZE.small, x: cell.left, y: bottom - (line + 1) * step }),
  )
}

interface Drawn {
  strokes: readonly (readonly [number, number][])[]
  field: { width: number; height: number }
  name: string
}

function drawStrokes(paper: Paper, { strokes, field, name }: Drawn): void {
  const scale = SIGNATURE_WIDTH / field.width
  const height = field.height * scale
  const y = paper.down(height + SIZE.text)
  const frame = { x: MARGIN, y, width: SIGNATURE_WIDTH, height, borderWidth: 0.75, borderColor: LINE }
  const path = strokes.map((points) => `M${points.map((point) => point.join(',')).join('L')}`).join('')
  const pen = { borderColor: grayscale(0), borderWidth: 1.4 / scale, borderLineCap: LineCapStyle.Round }
  const content = (page: PDFPage) => {
    page.drawRectangle(frame)
    page.drawSvgPath(path, { x: MARGIN, y: y + height, scale, ...pen })
  }
  paper.draw('Figure', content, name)
}

/** Draws the footer's left and right text. Screen readers skip it. */
function drawFoot(page: PDFPage, letters: Letters, [left, right]: readonly [string, string]): void {
  const of = { font: letters.font, size: SIZE.small, y: MARGIN, color: QUIET }
  const rightX = MARGIN + WIDTH - letters.widthOf(right, SIZE.small)
  drawTagged(page, null, () => {
    page.drawText(letters.drawable(left), { ...of, x: MARGIN })
    page.drawText(right, { ...of, x: rightX })
  })
}
