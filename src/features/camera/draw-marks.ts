/** Draws a photo with its marks. What is on the screen is what is sent: the canvas is the same. */
import {
  BOARD_FIELDS,
  type Board,
  type BoardField,
  type Corner,
  type Mark,
  type Marks,
} from '#lib/image/marks.ts'
import type { Size } from '#lib/image/image.ts'

/** The labels of the board's rows. */
export type BoardLabels = Readonly<Record<BoardField, string>>

/** A smaller picture is enlarged, so that the board can be read on it. */
const LEAST_EDGE_PX = 1200
/** Parts of the long edge: the board's text has 21 px at one megapixel, 36 px at three. */
const LINE = 0.006
const TEXT = 0.032
const BOARD_TEXT = 0.018
const BOARD_WIDTH = 0.42
/** Lines are this much apart, in heights of the text. */
const LEADING = 1.35
/** Squares along the longer side of a blurred part: too few for a face or a number. */
const BLUR_SQUARES = 6

const RED = '#d7000f'
const WHITE = '#fff'
const BOARD_GREEN = '#0c472a'

const longEdge = ({ width, height }: Size) => Math.max(width, height)

/** The size of a picture with marks. */
export function markedSize({ width, height }: Size): Size {
  const scale = Math.max(1, LEAST_EDGE_PX / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Draws over the whole canvas. What hides comes first, so that it never hides another mark. */
export function drawMarks(
  context: CanvasRenderingContext2D,
  picture: ImageBitmap,
  { board, list }: Marks,
  labels: BoardLabels,
): void {
  const { width, height } = context.canvas
  context.save()
  context.lineCap = context.lineJoin = 'round'
  context.textBaseline = 'middle'
  context.drawImage(picture, 0, 0, width, height)
  for (const mark of list) if (mark.kind === 'blur') drawBlur(context, picture, mark)
  for (const mark of list) {
    if (mark.kind === 'text') drawText(context, mark)
    else if (mark.kind !== 'blur') drawLine(context, mark)
  }
  if (board?.isShown) drawBoard(context, board, labels)
  context.restore()
}

function boxOf({ from, to }: Mark, { width, height }: Size) {
  return {
    x: Math.min(from.x, to.x) * width,
    y: Math.min(from.y, to.y) * height,
    width: Math.max(1, Math.abs(to.x - from.x) * width),
    height: Math.max(1, Math.abs(to.y - from.y) * height),
  }
}

/** Replaces a part of the picture by a few squares. */
function drawBlur(context: CanvasRenderingContext2D, picture: ImageBitmap, mark: Mark) {
  const box = boxOf(mark, context.canvas)
  const source = boxOf(mark, picture)
  const square = longEdge(box) / BLUR_SQUARES
  const small = Object.assign(document.createElement('canvas'), {
    width: Math.max(1, Math.round(box.width / square)),
    height: Math.max(1, Math.round(box.height / square)),
  })
  const own = small.getContext('2d')
  if (!own) throw new Error('marks: no canvas')
  own.imageSmoothingQuality = 'high'
  own.drawImage(picture, source.x, source.y, source.width, source.height, 0, 0, small.width, small.height)
  context.imageSmoothingEnabled = false
  context.drawImage(small, box.x, box.y, box.width, box.height)
  context.imageSmoothingEnabled = true
  small.width = small.height = 0
}

/** An arrow or a circle: red on a wider white line, to be seen on every background. */
function drawLine(context: CanvasRenderingContext2D, mark: Mark) {
  const width = longEdge(context.canvas) * LINE
  context.beginPath()
  if (mark.kind === 'circle') traceCircle(context, mark)
  else traceArrow(context, mark)
  for (const [color, lineWidth] of [[WHITE, width * 1.8] as const, [RED, width] as const]) {
    context.strokeStyle = color
    context.lineWidth = lineWidth
    context.stroke()
  }
}

function traceCircle(context: CanvasRenderingContext2D, mark: Mark) {
  const { x, y, width, height } = boxOf(mark, context.canvas)
  context.ellipse(x + width / 2, y + height / 2, width / 2, height / 2, 0, 0, Math.PI * 2)
}

function traceArrow(context: CanvasRenderingContext2D, { from, to }: Mark) {
  const { width, height } = context.canvas
  const [x, y] = [to.x * width, to.y * height]
  const [startX, startY] = [from.x * width, from.y * height]
  const angle = Math.atan2(y - startY, x - startX)
  const head = Math.min(longEdge(context.canvas) * 0.04, Math.hypot(x - startX, y - startY))
  context.moveTo(startX, startY)
  context.lineTo(x, y)
  for (const side of [-0.5, 0.5]) {
    context.moveTo(x, y)
    context.lineTo(x - head * Math.cos(angle + side), y - head * Math.sin(angle + side))
  }
}

/** A text is moved and broken into lines so that all of it is in the picture. */
function drawText(context: CanvasRenderingContext2D, { from, text }: Mark) {
  const { width, height } = context.canvas
  const px = longEdge(context.canvas) * TEXT
  setFont(context, px)
  const measure = measureOf(context)
  const lines = linesOf(measure, text, width)
  const x = Math.max(0, Math.min(from.x * width, width - Math.max(...lines.map(measure))))
  const top = Math.max(0, Math.min(from.y * height - (px * LEADING) / 2, height - lines.length * px * LEADING))
  context.strokeStyle = WHITE
  context.lineWidth = longEdge(context.canvas) * LINE
  context.fillStyle = RED
  for (const [at, line] of lines.entries()) {
    const y = top + (at + 0.5) * px * LEADING
    context.strokeText(line, x, y)
    context.fillText(line, x, y)
  }
}

/** Width of a text. */
type Measure = (text: string) => number

const measureOf =
  (context: CanvasRenderingContext2D): Measure =>
  (text) =>
    context.measureText(text).width

function setFont(context: CanvasRenderingContext2D, px: number) {
  context.font = `bold ${px}px ${getComputedStyle(context.canvas).fontFamily}`
}

function drawBoard(context: CanvasRenderingContext2D, board: Board, labels: BoardLabels) {
  setFont(context, MEASURED_PX)
  const laid = layOutBoard(measureOf(context), context.canvas, board, labels)
  const { px, x, y, width, height } = laid
  setFont(context, px)
  context.fillStyle = BOARD_GREEN
  context.fillRect(x, y, width, height)
  context.fillStyle = context.strokeStyle = WHITE
  context.lineWidth = Math.max(1, px * 0.1)
  context.strokeRect(x + px / 6, y + px / 6, width - px / 3, height - px / 3)
  for (const { text, x: textX, y: textY } of laid.texts) context.fillText(text, textX, textY)
}

/** Texts are measured at this size. */
export const MEASURED_PX = 100
const LEAST_TEXT_PX = 4

export interface LaidBoard extends Size {
  /** Size of the text. */
  px: number
  x: number
  y: number
  /** Each from its left edge and the middle of its line. */
  texts: { text: string; x: number; y: number }[]
}

/**
 * Lays out a board in a corner of a picture. All that was typed is on it: long texts take more lines, and the text of a
 * board that is higher than the picture is smaller. Rows without a text are left out.
 * @param measure width of a text in `MEASURED_PX`
 */
export function layOutBoard(measure: Measure, size: Size, board: Board, labels: BoardLabels): LaidBoard {
  for (let px = longEdge(size) * BOARD_TEXT; ; px *= 0.9) {
    const laid = layOutAt(px, (text) => (measure(text) * px) / MEASURED_PX, size, board, labels)
    if (laid.height <= size.height || px < LEAST_TEXT_PX) return laid
  }
}

function layOutAt(
  px: number,
  measure: Measure,
  size: Size,
  { corner, texts }: Board,
  labels: BoardLabels,
): LaidBoard {
  const width = Math.min(size.width, longEdge(size) * BOARD_WIDTH)
  const [pad, line] = [px / 2, px * LEADING]
  const filled = BOARD_FIELDS.filter((field) => texts[field].trim() !== '')
  const indent = pad * 2 + Math.max(0, ...filled.map((field) => measure(labels[field])))
  const rows = filled.map((field) => ({
    label: labels[field],
    lines: linesOf(measure, texts[field], width - indent - pad),
  }))
  const height = rows.reduce((sum, { lines }) => sum + lines.length * line + pad, pad)
  const { x, y } = placeOf(corner, { width, height }, size)
  const laid: LaidBoard['texts'] = []
  let top = y + pad
  for (const { label, lines } of rows) {
    laid.push({ text: label, x: x + pad, y: top + line / 2 })
    for (const [at, text] of lines.entries())
      laid.push({ text, x: x + indent, y: top + line * (at + 0.5) })
    top += lines.length * line + pad
  }
  return { px, x, y, width, height, texts: laid }
}

const placeOf = (corner: Corner, { width, height }: Size, size: Size) => ({
  x: corner.endsWith('left') ? 0 : size.width - width,
  y: corner.startsWith('top') ? 0 : size.height - height,
})

/** Breaks a text into lines that are not wider than `width`; each has at least one character. */
export function linesOf(measure: Measure, text: string, width: number): string[] {
  const lines = ['']
  for (const letter of text) {
    const longer = `${lines.at(-1)}${letter}`
    if (lines.at(-1) === '' || measure(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(letter)
  }
  return lines
}
