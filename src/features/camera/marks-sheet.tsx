/** The popup 黒板・書き込み for a photo of a form, which `?marks=<photo key>` opens (decisions/camera). */
import { useLingui } from '@lingui/react/macro'
import { Check, Undo2 } from 'lucide-react'
import {
  type ComponentProps,
  useRef,
  useState,
  useEffect,
  useLayoutEffect,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react'
import { useServices } from '#data/context/app-context.tsx'
import { browserImages, isBlank } from '#lib/image/browser-images.ts'
import {
  hasMarks,
  isBoardTooLong,
  NO_MARKS,
  withoutLast,
  type PhotoMarks,
  MARK_TEXT_MAX,
  withLastMoved,
  withMark,
  type PhotoMark,
  type Point,
} from '#lib/image/marks.ts'
import { Button } from '#ui/controls/button.tsx'
import { RadioGroup } from '#ui/controls/choice.tsx'
import { Switch } from '#ui/controls/switch.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { BoardPanel, MarkText, useDrawnLabels, useFilledBoard } from './board-panel.tsx'
import styles from './marks-sheet.module.css'
import { drawMarks, markedSize, type BoardLabels } from './draw-marks.ts'

const QUALITY = 0.85

/** The photo to draw on. `absent`: the photo is not on this device; `broken`: the file is not a picture. */
export type OpenedPhoto = 'reading' | 'absent' | 'broken' | { picture: ImageBitmap; marks: PhotoMarks }

/** `undrawn`: the browser produced no picture. `large`: the picture exceeds the size limit for photos. */
type MarksProblem = 'full' | 'failed' | 'undrawn' | 'large'

interface MarksSheetProps {
  photo: OpenedPhoto
  requestId: string
  /** Time of the photo, ISO 8601. The blackboard shows the day. */
  takenAt: string
  /** Stores the marks. @returns why the marks were not stored; null if they are stored */
  onMarks: (marks: PhotoMarks) => Promise<MarksProblem | null>
  /** Adds the picture with marks to the form. @returns why the picture was not added; null if it was added */
  onMade: (jpeg: ArrayBuffer) => Promise<MarksProblem | null>
  onClose: () => void
}

/** The editor for the marks on one photo. Each mark is stored at once. The photo itself is unchanged. */
export function MarksSheet({ photo, requestId, takenAt, onMarks, onMade, onClose }: MarksSheetProps) {
  const { t } = useLingui()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [changed, setChanged] = useState<PhotoMarks>()
  const [problem, setProblem] = useState<MarksProblem | null>(null)
  const [isMaking, setMaking] = useState(false)
  const opened = typeof photo === 'string' ? null : photo
  const marks = changed ?? opened?.marks ?? NO_MARKS
  const canMake = opened !== null && hasMarks(marks) && !isBoardTooLong(marks)
  const change = (next: PhotoMarks) => {
    setChanged(next)
    void onMarks(next).then(setProblem)
  }
  const make = async () => {
    setMaking(true)
    const jpeg = canvas.current && (await encoded(canvas.current).catch(() => null))
    const makingProblem = jpeg ? await onMade(jpeg) : 'undrawn'
    setMaking(false)
    setProblem(makingProblem)
    if (!makingProblem) onClose()
  }
  return (
    <Sheet
      heading={t`黒板・書き込み`}
      onClose={onClose}
      phase="open"
      footer={
        <div className={styles.foot}>
          <output>
            <Status why={typeof photo === 'string' ? photo : problem} count={marks.list.length} />
          </output>
          <Button
            variant="primary"
            wide
            icon={Check}
            busy={isMaking}
            aria-disabled={!canMake}
            onClick={() => canMake && void make()}
          >{t`書き込んだ写真を追加`}</Button>
        </div>
      }
    >
      <div className={styles.editor}>
        {opened && (
          <Editor {...{ canvas, marks, requestId, takenAt }} picture={opened.picture} onChange={change} />
        )}
      </div>
    </Sheet>
  )
}

/** Encodes the canvas as JPEG. @throws if the browser has drawn nothing or cannot encode the canvas */
async function encoded(canvas: HTMLCanvasElement): Promise<ArrayBuffer> {
  const context = canvas.getContext('2d')
  if (!context || isBlank(context, canvas.width, canvas.height)) throw new Error('marks: nothing was drawn')
  return browserImages.encode(canvas, QUALITY)
}

function Status({ why, count }: { why: MarksProblem | Extract<OpenedPhoto, string> | null; count: number }) {
  const { t } = useLingui()
  const { maxMb } = useServices().photo
  const texts = {
    reading: t`読み込み中`,
    absent: t`写真は端末に保存されていません`,
    broken: t`この写真は表示できません`,
    full: t`端末の空き容量が足りません。書き込みはこの画面に残っています。空きができたら、もう一度操作してください。`,
    failed: t`端末に保存できませんでした。書き込みはこの画面に残っています。もう一度操作してください。`,
    undrawn: t`書き込んだ写真を作れませんでした。書き込みは残っています。もう一度押してください。`,
    large: t`書き込んだ写真が上限の${maxMb}MBを超えたため、追加していません。書き込みは残っています。`,
  }
  if (why) return texts[why]
  return t`書き込み ${count}件。元の写真も、ぼかさずにそのまま送信します。`
}

type EditorProps = Pick<MarksSheetProps, 'requestId' | 'takenAt'> &
  Pick<ComponentProps<typeof MarksCanvas>, 'canvas' | 'picture' | 'marks' | 'onChange'>

function Editor({ canvas, picture, marks, requestId, takenAt, onChange }: EditorProps) {
  const { t } = useLingui()
  const labels = useDrawnLabels()
  const filled = useFilledBoard(requestId, takenAt)
  const [tool, setTool] = useState<MarkTool>({ kind: 'arrow', text: '' })
  const { board, list } = marks
  return (
    <>
      <MarksCanvas {...{ canvas, picture, marks, labels, tool, onChange }} />
      <RadioGroup
        legend={t`書き込み`}
        hideLegend
        cols={3}
        options={[
          { value: 'arrow', label: t`矢印` },
          { value: 'circle', label: t`丸` },
          { value: 'text', label: t`文字` },
          { value: 'blur', label: t`ぼかし` },
        ]}
        value={tool.kind}
        onChange={(kind) => setTool({ ...tool, kind })}
      />
      {tool.kind === 'text' && (
        <MarkText
          label={t`書き込む文字`}
          help={t`入力してから、写真の上を押します。`}
          value={tool.text}
          onChange={(text) => setTool({ ...tool, text })}
        />
      )}
      <Button
        icon={Undo2}
        wide
        aria-disabled={list.length === 0}
        onClick={() => onChange(withoutLast(marks))}
      >{t`元に戻す`}</Button>
      <Switch
        label={t`黒板`}
        checked={board?.isShown ?? false}
        onChange={(isShown) => onChange({ ...marks, board: { ...(board ?? filled), isShown } })}
      />
      {board?.isShown && (
        <BoardPanel board={board} onChange={(next) => onChange({ ...marks, board: next })} />
      )}
    </>
  )
}

type MarkTool = Pick<PhotoMark, 'kind' | 'text'>

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
function MarksCanvas({ canvas, picture, marks, labels, tool, onChange }: MarksCanvasProps) {
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
