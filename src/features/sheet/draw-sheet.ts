/** Draws a filled-in sheet as a page of A5. No text is cut; a page with much text has smaller texts. */
import { linesOf } from '#lib/line-breaks.ts'
import { browserImages, isBlank } from '#lib/image/browser-images.ts'

/** The content of a page, from top to bottom: title, facts of the visit, rows, further texts. */
export interface SheetPage {
  title: string
  facts: readonly Labelled[]
  rows: readonly { label: string; texts: readonly Labelled[] }[]
  more: readonly Labelled[]
}

interface Labelled {
  label: string
  text: string
}

/** Size of A5 in px, at 248 dpi. Its long edge is that of a photo that is sent. */
export const PAGE = { width: 1448, height: 2048 }
const MARGIN = 96
/** Height of a text in px, 10 pt in print. */
const TEXT = 36
/** The texts of an overfull page become smaller down to this height. */
const LEAST_TEXT = 8
/** Height of the title and distance from line to line, in heights of the text. */
const TITLE = 1.4
const LEADING = 1.45
/** Width of the labels, in heights of the text. */
const INDENT = 9
const QUALITY = 0.9

/** Returns the width of a text of this height. */
type Measure = (text: string, height: number) => number

interface LaidText {
  text: string
  x: number
  /** Middle of the line. */
  y: number
  height: number
  isLabel: boolean
}

interface LaidPage {
  texts: readonly LaidText[]
  /** Distances from the top of the page at which a line goes across it. */
  rules: readonly number[]
  end: number
}

/** Lays out a page, with smaller texts if it would be too long. */
export function layOutSheet(measure: Measure, page: SheetPage, height = TEXT): LaidPage {
  const laid = layOut(measure, page, height)
  return laid.end > PAGE.height - MARGIN && height > LEAST_TEXT
    ? layOutSheet(measure, page, height * 0.93)
    : laid
}

function layOut(measure: Measure, { title, facts, rows, more }: SheetPage, height: number): LaidPage {
  const texts: LaidText[] = []
  const rules: number[] = []
  const leading = height * LEADING
  let top = MARGIN
  const put = (text: string, x: number, textHeight: number, isLabel: boolean) => {
    const fits = (line: string) => measure(line, textHeight) <= PAGE.width - MARGIN - x
    const lines = linesOf(text, fits)
    for (const [index, line] of lines.entries())
      texts.push({
        text: line,
        x,
        y: top + textHeight * LEADING * (index + 0.5),
        height: textHeight,
        isLabel,
      })
    return lines.length * textHeight * LEADING
  }
  const putLabelled = ({ label, text }: Labelled) => {
    const labelHeight = put(label, MARGIN, height * 0.85, true)
    const x = MARGIN + INDENT * height
    // The text of a label that is too long for its column begins below the label.
    if (measure(label, height * 0.85) > INDENT * height - height / 2) top += labelHeight
    top += put(text, x, height, false)
  }
  const rule = () => {
    rules.push(top + leading / 4)
    top += leading / 2
  }
  top += put(title, MARGIN, height * TITLE, false)
  rule()
  for (const fact of facts) putLabelled(fact)
  rule()
  for (const row of rows) {
    top += put(row.label, MARGIN, height, true)
    for (const text of row.texts) putLabelled(text)
    rule()
  }
  for (const text of more) putLabelled(text)
  return { texts, rules, end: top }
}

/** Returns a page as JPEG. @throws if the browser draws nothing or cannot encode the page */
export async function sheetPicture(page: SheetPage): Promise<ArrayBuffer> {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, PAGE)
  try {
    const context = canvas.getContext('2d')
    if (!context) throw new Error('sheet: no canvas')
    draw(context, page)
    if (isBlank(context, PAGE.width, PAGE.height)) throw new Error('sheet: nothing was drawn')
    return await browserImages.encode(canvas, QUALITY)
  } finally {
    canvas.width = canvas.height = 0
  }
}

function draw(context: CanvasRenderingContext2D, page: SheetPage) {
  const { fontFamily } = getComputedStyle(document.body)
  const font = (height: number) => `${height}px ${fontFamily}`
  const measure: Measure = (text, height) => {
    context.font = font(height)
    return context.measureText(text).width
  }
  const { texts, rules } = layOutSheet(measure, page)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, PAGE.width, PAGE.height)
  context.textBaseline = 'middle'
  for (const { text, x, y, height, isLabel } of texts) {
    context.font = font(height)
    context.fillStyle = isLabel ? '#333' : '#000'
    context.fillText(text, x, y)
  }
  context.fillStyle = '#666'
  for (const y of rules) context.fillRect(MARGIN, y, PAGE.width - MARGIN * 2, 2)
}
