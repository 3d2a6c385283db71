/** Marks on a photo (decisions/camera), drawn onto a copy. Positions are fractions (0 to 1) of its size. */

export const MARK_KINDS = ['arrow', 'circle', 'text', 'blur'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

export type Point = { x: number; y: number }

export interface PhotoMark {
  kind: MarkKind
  from: Point
  /** The tip of an arrow, or the opposite corner of a circle or blur. A text begins at `from`. */
  to: Point
  text: string
}

type Corner = 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right'

export const BOARD_FIELDS = ['code', 'place', 'device', 'work', 'day', 'state', 'note'] as const
export type BoardField = (typeof BOARD_FIELDS)[number]

export type PhotoBoard = { isShown: boolean; corner: Corner; texts: Readonly<Record<BoardField, string>> }

export type PhotoMarks = { board: PhotoBoard | null; list: readonly PhotoMark[] }

export const NO_MARKS: PhotoMarks = { board: null, list: [] }
/** Maximum characters of a text mark or board row. A longer text is stored, but no picture is made. */
export const MARK_TEXT_MAX = 60

export const hasMarks = ({ board, list }: PhotoMarks): boolean => board?.isShown === true || list.length > 0

/** True if the picture shows its board (電子小黒板) and a text exceeds MARK_TEXT_MAX. */
export const isBoardTooLong = ({ board }: PhotoMarks): boolean =>
  board !== null && board.isShown && BOARD_FIELDS.some((field) => board.texts[field].length > MARK_TEXT_MAX)

/** Adds a mark. Points outside the picture move to its edge. */
export const withMark = (marks: PhotoMarks, mark: PhotoMark): PhotoMarks => ({
  ...marks,
  list: [...marks.list, { ...mark, from: inside(mark.from), to: inside(mark.to) }],
})

export const withoutLast = (marks: PhotoMarks): PhotoMarks => ({ ...marks, list: marks.list.slice(0, -1) })

/** Moves the newest mark, or only the mark's end, but not out of the picture. */
export function withLastMoved(marks: PhotoMarks, by: Point, part: 'whole' | 'end'): PhotoMarks {
  const last = marks.list.at(-1)
  if (!last) return marks
  const moving = part === 'whole' ? [last.from, last.to] : [last.to]
  const step = { x: room(moving, 'x', by), y: room(moving, 'y', by) }
  const moved = ({ x, y }: Point) => inside({ x: x + step.x, y: y + step.y })
  const from = part === 'whole' ? moved(last.from) : last.from
  return { ...marks, list: [...marks.list.slice(0, -1), { ...last, from, to: moved(last.to) }] }
}

function room(points: readonly Point[], axis: 'x' | 'y', by: Point): number {
  const places = points.map((point) => point[axis])
  return Math.min(1 - Math.max(...places), Math.max(-Math.min(...places), by[axis]))
}

const inside = ({ x, y }: Point): Point => ({ x: part(x), y: part(y) })
const part = (value: number) => Math.min(1, Math.max(0, value))
