/** Draws one label: a QR code as vector lines, and searchable text beside it. */
import { grayscale } from '@cantoo/pdf-lib'
import { encodeQR } from 'qr'
import { BOLD, LEADING, LINE, PAPER_HEIGHT, PAPER_WIDTH, SIZE, type Paper } from './paper.ts'

/** A sheet has 24 labels of 70 × 37 mm, a common size of label paper. */
const COLUMNS = 3
const ROWS = 8
const PER_SHEET = COLUMNS * ROWS
const WIDTH = PAPER_WIDTH / COLUMNS
const HEIGHT = PAPER_HEIGHT / ROWS
/** Inner margin of a label in points (5 mm), because printers cannot print up to the paper's edge. */
const INSET = 14.2
const QR_EDGE = HEIGHT - 2 * INSET
const GAP = 4

interface Placed {
  address: string
  /** The last line is the machine's id, which is always drawn. */
  lines: readonly string[]
  /** Index of the label, from 0. */
  at: number
}

export function drawLabel(paper: Paper, { address, lines, at }: Placed): void {
  const place = at % PER_SHEET
  if (place === 0) paper.newSheet()
  const left = (place % COLUMNS) * WIDTH + INSET
  const top = PAPER_HEIGHT - Math.floor(place / COLUMNS) * HEIGHT - INSET
  // With the level `quartile`, a QR code stays readable with a quarter of its area dirty.
  const modules = encodeQR(address, 'raw', { ecc: 'quartile', border: 4 })
  const scale = QR_EDGE / modules.length
  const name = lines.at(-1) ?? address
  paper.draw(
    'Figure',
    (page) => {
      page.drawRectangle({
        x: left - INSET / 2,
        y: top - HEIGHT + 1.5 * INSET,
        width: WIDTH - INSET,
        height: HEIGHT - INSET,
        borderWidth: 0.5,
        borderColor: LINE,
      })
      page.drawSvgPath(pathOf(modules), { x: left, y: top, scale, color: grayscale(0) })
    },
    `QR ${name}`,
  )
  drawLines(paper, lines, left + QR_EDGE + GAP, top)
}

/** Draws the lines from the top. Lines that do not fit above the id are omitted. */
function drawLines(paper: Paper, lines: readonly string[], left: number, top: number): void {
  const width = WIDTH - 2 * INSET - QR_EDGE - GAP
  const step = SIZE.small * LEADING
  const room = Math.floor(QR_EDGE / step)
  const broken = lines.map((line) => paper.linesIn(line, SIZE.small, width))
  const id = broken.at(-1) ?? []
  const before = broken
    .slice(0, -1)
    .flat()
    .slice(0, Math.max(0, room - id.length))
  // The first line, usually the machine's name, is bold.
  const nameLines = broken[0]?.length ?? 0
  for (const [at, text] of [...before, ...id].entries())
    paper.write('P', text, {
      size: SIZE.small,
      x: left,
      y: top - (at + 1) * step + (step - SIZE.small) / 2,
      ...(at < nameLines && before.length > 0 && BOLD),
    })
}

/** Returns the code's dark modules as an SVG path, with one rectangle for each run of a row. */
function pathOf(modules: readonly (readonly boolean[])[]): string {
  const runs = modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return []
      const end = row.indexOf(false, x)
      const width = (end < 0 ? row.length : end) - x
      return `M${x},${y}h${width}v1h-${width}z`
    }),
  )
  return runs.join('')
}
