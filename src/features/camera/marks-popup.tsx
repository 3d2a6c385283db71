/** 黒板・書き込み on a photo of a form, named by `?marks=key`: back, 閉じる and Escape close it (decisions/camera). */
import { useLingui } from '@lingui/react/macro'
import { Check, Circle, Grid2x2, MoveUpRight, Presentation, Type, Undo2, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { browserImages } from '#lib/image/browser-images.ts'
import { hasMarks, isBoardTooLong, MARK_KINDS, withoutLast, type Marks } from '#lib/image/marks.ts'
import { Button } from '#ui/controls/button.tsx'
import { Modal } from '#ui/popup/sheet.tsx'
import { BoardPanel, MarkText, useBoardLabels, useFilledBoard } from './board-panel.tsx'
import { MarksCanvas, type MarkTool } from './marks-canvas.tsx'
import { Tool } from './tool.tsx'
import frame from './frame.module.css'
import styles from './marks-popup.module.css'

const ICONS = { arrow: MoveUpRight, circle: Circle, text: Type, blur: Grid2x2 }
/** JPEG quality of the picture with marks. */
const QUALITY = 0.85

/** Why a picture or its marks are not on the device. */
export type MarksProblem = 'full' | 'failed'

/** A photo to draw on; `reading`: being read, `absent`: not on this device, `broken`: not a displayable picture. */
export type OpenedPhoto = 'reading' | 'absent' | 'broken' | { picture: ImageBitmap; marks: Marks }

interface EditorProps {
  /** The board is filled from this request, with the day of this time (ISO 8601). */
  requestId: string
  takenAt: string
  /** Stores the marks. @returns why they are not on the device; null if they are */
  onMarks: (marks: Marks) => Promise<MarksProblem | null>
  /** Adds the picture with marks to the form. @returns why it is not on the device; null if it is */
  onMade: (jpeg: ArrayBuffer) => Promise<MarksProblem | null>
}

interface MarksPopupProps extends EditorProps {
  photo: OpenedPhoto
  onClose: () => void
}

/** The marks of one photo. They are drawn onto a second picture; the photo stays as it is. */
export function MarksPopup({ photo, onClose, ...editor }: MarksPopupProps) {
  const { t } = useLingui()
  const id = useId()
  return (
    <Modal labelledBy={id} look={frame.frame} onClose={onClose} phase="open">
      {(leave) => (
        <div className={styles.inside}>
          <header className={styles.head}>
            <h2 id={id}>{t`黒板・書き込み`}</h2>
            <Tool icon={X} onClick={leave}>{t`閉じる`}</Tool>
          </header>
          {typeof photo === 'string' ? (
            <NoPicture why={photo} />
          ) : (
            <Editor {...editor} {...photo} leave={leave} />
          )}
        </div>
      )}
    </Modal>
  )
}

function NoPicture({ why }: { why: 'reading' | 'absent' | 'broken' }) {
  const { t } = useLingui()
  const texts = {
    reading: t`読み込み中`,
    absent: t`写真は端末に保存されていません`,
    broken: t`この写真は表示できません`,
  }
  return (
    <p className={styles.missing}>
      <output>{texts[why]}</output>
    </p>
  )
}

function Editor(
  props: EditorProps & { picture: ImageBitmap; marks: Marks; leave: () => void },
) {
  const { requestId, takenAt, picture, leave } = props
  const { t } = useLingui()
  const labels = useBoardLabels()
  const filled = useFilledBoard(requestId, takenAt)
  const { canvas, marks, change, problem, isMaking, make } = useEditing(props)
  const [tool, setTool] = useState<MarkTool>({ kind: 'arrow', text: '' })
  const { board, list } = marks
  const names = { arrow: t`矢印`, circle: t`丸`, text: t`文字`, blur: t`ぼかし` }
  const toggleBoard = () =>
    change({ ...marks, board: board ? { ...board, isShown: !board.isShown } : filled })
  const canMake = hasMarks(marks) && !isBoardTooLong(marks)
  return (
    <>
      <MarksCanvas {...{ canvas, picture, marks, labels, tool }} onChange={change} />
      <div className={styles.tools}>
        {MARK_KINDS.map((kind) => (
          <Tool
            key={kind}
            icon={ICONS[kind]}
            isOn={kind === tool.kind}
            onClick={() => setTool({ ...tool, kind })}
          >
            {names[kind]}
          </Tool>
        ))}
        <Tool icon={Presentation} isOn={board?.isShown ?? false} onClick={toggleBoard}>{t`黒板`}</Tool>
        <Tool icon={Undo2} onClick={() => change(withoutLast(marks))}>{t`元に戻す`}</Tool>
      </div>
      <div className={styles.panel}>
        {tool.kind === 'text' && (
          <MarkText
            label={t`書き込む文字`}
            help={t`入力してから、写真の上を押します。`}
            value={tool.text}
            onChange={(text) => setTool({ ...tool, text })}
          />
        )}
        {board?.isShown && (
          <BoardPanel board={board} labels={labels} onChange={(next) => change({ ...marks, board: next })} />
        )}
      </div>
      <div className={styles.foot}>
        <output>
          <EditorText count={list.length} problem={problem} />
        </output>
        <Button
          variant="primary"
          wide
          icon={Check}
          busy={isMaking}
          aria-disabled={!canMake}
          onClick={() => canMake && void make(leave)}
        >{t`書き込んだ写真を追加`}</Button>
      </div>
    </>
  )
}

function EditorText({ count, problem }: { count: number; problem: Problem | null }) {
  const { t } = useLingui()
  const texts = {
    full: t`端末の空き容量が足りません。書き込みはこの画面に残っています。空きができたら、もう一度操作してください。`,
    failed: t`端末に保存できませんでした。書き込みはこの画面に残っています。もう一度操作してください。`,
    undrawn: t`書き込んだ写真を作れませんでした。書き込みは残っています。もう一度押してください。`,
  }
  if (problem) return texts[problem]
  return (
    <>
      {count > 0 && <strong>{t`書き込み ${count}件`}</strong>}
      {t`元の写真も、ぼかさずにそのまま送信します。`}
    </>
  )
}

type Problem = MarksProblem | 'undrawn'

/** The marks being edited. Each change is stored at once. */
function useEditing({ marks: opened, onMarks, onMade }: EditorProps & { marks: Marks }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [marks, setMarks] = useState(opened)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isMaking, setMaking] = useState(false)
  useEffect(() => {
    const element = canvas.current
    // An emptied canvas frees its memory at once.
    return () => void (element && (element.width = element.height = 0))
  }, [])
  return {
    canvas,
    marks,
    problem,
    isMaking,
    change(next: Marks) {
      setMarks(next)
      void onMarks(next).then(setProblem)
    },
    /** @param leave called once the picture is on the device */
    async make(leave: () => void) {
      setMaking(true)
      const jpeg = canvas.current && (await browserImages.encode(canvas.current, QUALITY).catch(() => null))
      const found = jpeg ? await onMade(jpeg) : 'undrawn'
      setMaking(false)
      setProblem(found)
      if (!found) leave()
    },
  }
}
