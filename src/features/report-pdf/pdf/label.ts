/** One label: a QR code as lines, not as a picture, and text that can be searched beside it. */
import { grayscale } from '@cantoo/pdf-lib'
import { encodeQR } from 'qr'
import { BOLD, LEADING, LINE, PAPER_HEIGHT, PAPER_WIDTH, SIZE, type Paper } from './paper.ts'

/** 24 labels of 70 × 37 mm, as label paper has them, also without paper of its own. */
const COLUMNS = 3
const ROWS = 8
const PER_SHEET = COLUMNS * ROWS
const WIDTH = PAPER_WIDTH / COLUMNS
const HEIGHT = PAPER_HEIGHT / ROWS
/** A printer leaves an edge white: 5 mm. */
const INSET = 14.2
const QR_EDGE = HEIGHT - 2 * INSET
const GAP = 4

interface Placed {
  /** The text of the code. */
  address: string
  /** The last one is the id, and is never left out. */
  lines: readonly string[]
  /** Counted from 0. */
  at: number
}

export function drawLabel(paper: Paper, { address, lines, at }: Placed): void {
  const place = at % PER_SHEET
  if (place === 0) paper.newSheet()
  const left = (place % COLUMNS) * WIDTH + INSET
  const top = PAPER_HEIGHT - Math.floor(place / COLUMNS) * HEIGHT - INSET
  // Half of the code's dark modules may be dirty.
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
  drawLines(paper, lines, { left: left + QR_EDGE + GAP, top })
}

/** The lines from the top; what does not fit of those before the id is left out. */
function drawLines(
  paper: Paper,
  lines: readonly string[],
  { left, top }: { left: number; top: number },
): void {
  const width = WIDTH - 2 * INSET - QR_EDGE - GAP
  const step = SIZE.small * LEADING
  const room = Math.floor(QR_EDGE / step)
  const broken = lines.map((line) => paper.linesIn(line, SIZE.small, width))
  const id = broken.at(-1) ?? []
  const before = broken
    .slice(0, -1)
    .flat()
    .slice(0, Math.max(0, room - id.length))
  const first = broken[0]?.length ?? 0
  for (const [at, text] of [...before, ...id].entries())
    paper.write('P', text, {
      size: SIZE.small,
      x: left,
      y: top - (at + 1) * step + (step - SIZE.small) / 2,
      ...(at < first && before.length > 0 && BOLD),
    })
}

/** The dark modules as runs along each row. */
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
