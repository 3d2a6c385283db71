/** Draws a photo and its marks (黒板・書き込み) on a canvas. The app encodes and sends the canvas that the user sees. */
import { BOARD_FIELDS, type PhotoBoard, type PhotoMark, type PhotoMarks } from '#lib/image/marks.ts'
import { fitting, type Size } from '#lib/image/image.ts'
import { linesOf } from '#lib/line-breaks.ts'

export type BoardLabels = Readonly<PhotoBoard['texts']>

/** Limits of the picture's long edge in px. A smaller picture is enlarged to keep the blackboard readable. */
const LEAST_EDGE_PX = 1200
export const MOST_EDGE_PX = 2048

/** Long edge of every picture in drawing units. The sizes below are in these units. */
const EDGE = 1000
const LINE = 6
const ARROW_HEAD = 40
const TEXT = 32
/** Text height on the blackboard in drawing units: 21 px in a picture of one megapixel, 36 px at three megapixels. */
const BOARD_TEXT = 18
const BOARD_WIDTH = 420
/** Smallest text height in drawing units, for a blackboard with too much text. */
const LEAST_BOARD_TEXT = 2
const LEADING = 1.35
/** Number of squares along the longer side of a blurred rectangle. With so few squares, faces and numbers are unreadable. */
const BLUR_SQUARES = 6

const RED = '#d7000f'
const WHITE = '#fff'
const BOARD_GREEN = '#0c472a'

/** Returns the size in px of the picture with marks. */
export function markedSize({ width, height }: Size): Size {
  const scale = Math.max(1, LEAST_EDGE_PX / Math.max(width, height))
  return fitting({ width: width * scale, height: height * scale }, MOST_EDGE_PX)
}

/** The canvas and the picture that the marks are drawn on. `size` is the canvas's size in drawing units. */
interface Paper {
  context: CanvasRenderingContext2D
  picture: ImageBitmap
  size: Size
  measure: Measure
}

/** Returns the width of a text in the given height, both in drawing units, and sets the canvas font to this height. */
type Measure = (text: string, height: number) => number

/** Draws the picture and its marks: blurred areas, the blackboard, then arrows, circles and texts, which stay visible. */
export function drawMarks(
  context: CanvasRenderingContext2D,
  picture: ImageBitmap,
  { board, list }: PhotoMarks,
  labels: BoardLabels,
): void {
  const { width, height } = context.canvas
  const px = Math.max(width, height) / EDGE
  const { fontFamily } = getComputedStyle(context.canvas)
  const measure: Measure = (text, textHeight) => {
    context.font = `bold ${textHeight}px ${fontFamily}`
    return context.measureText(text).width
  }
  const paper = { context, picture, size: { width: width / px, height: height / px }, measure }
  context.save()
  context.scale(px, px)
  context.lineCap = context.lineJoin = 'round'
  context.textBaseline = 'middle'
  context.drawImage(picture, 0, 0, paper.size.width, paper.size.height)
  for (const mark of list) if (mark.kind === 'blur') drawBlur(paper, mark)
  if (board?.isShown) drawBoard(paper, layOutBoard(measure, paper.size, board, labels))
  for (const mark of list) {
    if (mark.kind === 'text') drawText(paper, mark)
    else if (mark.kind !== 'blur') drawLine(paper, mark)
  }
  context.restore()
}

const boxOf = ({ from, to }: PhotoMark, { width, height }: Size) => ({
  x: Math.min(from.x, to.x) * width,
  y: Math.min(from.y, to.y) * height,
  width: Math.max(1, Math.abs(to.x - from.x) * width),
  height: Math.max(1, Math.abs(to.y - from.y) * height),
})

function drawBlur({ context, picture, size }: Paper, mark: PhotoMark) {
  const [box, source] = [boxOf(mark, size), boxOf(mark, picture)]
  const square = Math.max(box.width, box.height) / BLUR_SQUARES
  const small = document.createElement('canvas')
  small.width = Math.max(1, Math.round(box.width / square))
  small.height = Math.max(1, Math.round(box.height / square))
  const smallContext = small.getContext('2d')
  if (!smallContext) throw new Error('marks: no canvas')
  smallContext.imageSmoothingQuality = 'high'
  const { x, y, width, height } = source
  smallContext.drawImage(picture, x, y, width, height, 0, 0, small.width, small.height)
  context.imageSmoothingEnabled = false
  context.drawImage(small, box.x, box.y, box.width, box.height)
  context.imageSmoothingEnabled = true
  small.width = small.height = 0
}

function drawLine({ context, size }: Paper, mark: PhotoMark) {
  const { x, y, width, height } = boxOf(mark, size)
  context.beginPath()
  if (mark.kind === 'circle')
    context.ellipse(x + width / 2, y + height / 2, width / 2, height / 2, 0, 0, Math.PI * 2)
  else traceArrow(context, scaled(mark.from, size), scaled(mark.to, size))
  for (const [color, lineWidth] of [[WHITE, LINE * 1.8] as const, [RED, LINE] as const]) {
    context.strokeStyle = color
    context.lineWidth = lineWidth
    context.stroke()
  }
}

const scaled = ({ x, y }: PhotoMark['to'], { width, height }: Size) => ({ x: x * width, y: y * height })

function traceArrow(context: CanvasRenderingContext2D, from: PhotoMark['from'], tip: PhotoMark['to']) {
  const angle = Math.atan2(tip.y - from.y, tip.x - from.x)
  const head = Math.min(ARROW_HEAD, Math.hypot(tip.x - from.x, tip.y - from.y))
  const ends = [-0.5, 0.5].map((side) => ({
    x: tip.x - head * Math.cos(angle + side),
    y: tip.y - head * Math.sin(angle + side),
  }))
  for (const start of [from, ...ends]) {
    context.moveTo(start.x, start.y)
    context.lineTo(tip.x, tip.y)
  }
}

function drawText({ context, size, measure }: Paper, { from, text }: PhotoMark) {
  const lines = linesOf(text, (line) => measure(line, TEXT) <= size.width)
  const width = Math.max(...lines.map((line) => measure(line, TEXT)))
  const leading = TEXT * LEADING
  const x = Math.max(0, Math.min(from.x * size.width, size.width - width))
  const top = Math.max(0, Math.min(from.y * size.height - leading / 2, size.height - lines.length * leading))
  context.strokeStyle = WHITE
  context.lineWidth = LINE
  context.fillStyle = RED
  for (const [index, line] of lines.entries()) {
    const y = top + (index + 0.5) * leading
    context.strokeText(line, x, y)
    context.fillText(line, x, y)
  }
}

function drawBoard({ context, measure }: Paper, { x, y, width, height, textHeight, texts }: LaidBoard) {
  const edge = textHeight / 6
  context.fillStyle = BOARD_GREEN
  context.fillRect(x, y, width, height)
  context.fillStyle = context.strokeStyle = WHITE
  context.lineWidth = textHeight / 10
  context.strokeRect(x + edge, y + edge, width - edge * 2, height - edge * 2)
  // Sets the font.
  measure('', textHeight)
  for (const each of texts) context.fillText(each.text, each.x, each.y)
}

interface LaidBoard extends Size {
  x: number
  y: number
  textHeight: number
  /** Texts of the blackboard. `x` is the left edge of a text, `y` the middle of its line, both in drawing units. */
  texts: readonly { text: string; x: number; y: number }[]
}

/** Lays out the blackboard in a corner, with smaller texts if it is too high. Rows without a text are omitted. */
export function layOutBoard(
  measure: Measure,
  size: Size,
  { corner, texts }: Pick<PhotoBoard, 'corner' | 'texts'>,
  labels: BoardLabels,
  textHeight = BOARD_TEXT,
): LaidBoard {
  const width = Math.min(size.width, BOARD_WIDTH)
  const [pad, leading] = [textHeight / 2, textHeight * LEADING]
  const widthOf = (text: string) => measure(text, textHeight)
  const filled = BOARD_FIELDS.filter((field) => texts[field].trim() !== '')
  const indent = pad * 2 + Math.max(0, ...filled.map((field) => widthOf(labels[field])))
  const rows = filled.map((field) => ({
    label: labels[field],
    lines: linesOf(texts[field], (line) => widthOf(line) <= width - indent - pad),
  }))
  const height = rows.reduce((sum, { lines }) => sum + lines.length * leading + pad, pad)
  if (height > size.height && textHeight > LEAST_BOARD_TEXT)
    return layOutBoard(measure, size, { corner, texts }, labels, textHeight * 0.9)
  const x = corner.endsWith('left') ? 0 : size.width - width
  const y = corner.startsWith('top') ? 0 : size.height - height
  let top = y + pad
  const laid = rows.flatMap(({ label, lines }) => {
    const values = lines.map((text, index) => ({ text, x: x + indent, y: top + leading * (index + 0.5) }))
    const labelled = { text: label, x: x + pad, y: top + leading / 2 }
    top += lines.length * leading + pad
    return [labelled, ...values]
  })
  return { x, y, width, height, textHeight, texts: laid }
}
