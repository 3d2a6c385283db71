import { useLingui } from '@lingui/react/macro'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import { MARK_TEXT_MAX, withLastMoved, withMark } from '#lib/image/marks.ts'
import type { PhotoMark, PhotoMarks, Point } from '#lib/image/marks.ts'
import { drawMarks, markedSize, type BoardLabels } from './draw-marks.ts'
import styles from './marks-sheet.module.css'

export type MarkTool = Pick<PhotoMark, 'kind' | 'text'>

interface MarksCanvasProps {
  canvas: RefObject<HTMLCanvasElement | null>
  picture: ImageBitmap
  marks: PhotoMarks
  labels: BoardLabels
  tool: MarkTool
  onChange: (marks: PhotoMarks) => void
}

/** Shortest drag that draws a mark, as a fraction of the picture's size. Shorter drags are slips of the finger. */
const LEAST_DRAG = 0.015
/** Distance that an arrow key moves a mark, as a fraction of the picture's size. */
const STEP = 0.02
/** Position of a mark that the Enter key adds, as fractions of the picture's width and height. */
const CENTRE = { from: { x: 0.4, y: 0.4 }, to: { x: 0.6, y: 0.6 } }
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
}

/** The picture with its marks. Enter adds a mark, arrow keys move the newest one, with Shift they move its end. */
export function MarksCanvas({ canvas, picture, marks, labels, tool, onChange }: MarksCanvasProps) {
  const { t } = useLingui()
  const { drag, handlers } = useDrag(tool, (mark) => onChange(withMark(marks, mark)))
  const { width, height } = markedSize(picture)
  useLayoutEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    Object.assign(element, { width, height })
    // Setting the size to 0 frees the canvas's memory at once.
    return () => void Object.assign(element, { width: 0, height: 0 })
  }, [canvas, width, height])
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    // A closed ImageBitmap has width 0.
    if (context && picture.width > 0)
      drawMarks(context, picture, drag ? withMark(marks, drag) : marks, labels)
  })
  const press = (event: KeyboardEvent) => {
    const by = ARROWS[event.key]
    if (by) onChange(withLastMoved(marks, by, event.shiftKey ? 'end' : 'whole'))
    else if (event.key === 'Enter' && canDraw(tool)) onChange(withMark(marks, markOf(tool, CENTRE)))
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.stage}>
      <canvas
        ref={canvas}
        tabIndex={0}
        // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role -- the user draws with finger and keys
        role="application"
        aria-label={t`写真。エンターキーで書き込み、矢印キーで動かします。`}
        onKeyDown={press}
        {...handlers}
      />
    </div>
  )
}

const canDraw = ({ kind, text }: MarkTool) =>
  kind !== 'text' || (text.trim() !== '' && text.length <= MARK_TEXT_MAX)

const markOf = ({ kind, text }: MarkTool, { from, to }: Pick<PhotoMark, 'from' | 'to'>): PhotoMark =>
  kind === 'text' ? { kind, from: to, to, text: text.trim() } : { kind, from, to, text: '' }

/** Returns the mark being drawn and the pointer handlers. Dragging moves a text, but resizes other marks. */
function useDrag(tool: MarkTool, onMark: (mark: PhotoMark) => void) {
  // A ref, because React may not have rendered the last movement when the finger is lifted.
  const latest = useRef<PhotoMark | null>(null)
  const [drag, setDrag] = useState<PhotoMark | null>(null)
  const show = (mark: PhotoMark | null) => setDrag((latest.current = mark))
  const end = () => {
    const mark = latest.current
    show(null)
    if (mark && (mark.kind === 'text' || lengthOf(mark) >= LEAST_DRAG)) onMark(mark)
  }
  return {
    drag,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLCanvasElement>) {
        if (!event.isPrimary || !canDraw(tool)) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const point = pointOf(event)
        show(markOf(tool, { from: point, to: point }))
      },
      onPointerMove(event: PointerEvent<HTMLCanvasElement>) {
        if (event.isPrimary && latest.current)
          show(markOf(tool, { from: latest.current.from, to: pointOf(event) }))
      },
      onPointerUp: (event: PointerEvent) => event.isPrimary && end(),
      onPointerCancel: () => show(null),
    },
  }
}

function pointOf({ clientX, clientY, currentTarget }: PointerEvent): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  return { x: (clientX - left) / width, y: (clientY - top) / height }
}

const lengthOf = ({ from, to }: PhotoMark) => Math.hypot(to.x - from.x, to.y - from.y)
