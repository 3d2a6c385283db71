import { useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight, X, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState, type PointerEvent, type RefObject } from 'react'
import type { Point } from '#lib/image/marks.ts'
import { Icon } from '#ui/base/icon.tsx'
import { PhotoFact } from '#ui/photo/photo.tsx'
import styles from '#ui/photo/viewer.module.css'
import { Modal } from '#ui/popup/sheet.tsx'
import { urlOf, usePhotoFacts, usePhotoSource, type ShownPhoto } from './shown-photo.ts'
import { MAX_SCALE, panned, pinched, STEP, swiped, toggled, WHOLE, zoomed, type Zoom } from './zoom.ts'

interface ViewerProps {
  photos: readonly ShownPhoto[]
  index: number
  onIndex: (index: number) => void
  onClose: () => void
}

/** Shows one photo in full-screen size with its facts. Fingers, buttons and keys zoom, or show the next photo. */
export function PhotoViewer({ photos, index, onIndex, onClose }: ViewerProps) {
  const { t } = useLingui()
  const id = useId()
  const stage = useRef<HTMLDivElement>(null)
  const total = photos.length
  const { zoom, drag, set, move, keys, gestures } = useZoom({ stage, count: total, index, onIndex })
  const step = (by: -1 | 1) => ({ disabled: !hasAt(total, index + by), onClick: () => move(by) })
  const n = index + 1
  return (
    <Modal labelledBy={id} look={styles.viewer} onClose={onClose} onKeys={keys} phase="open">
      {(leave) => (
        <div className={styles.inside}>
          <header className={styles.head}>
            <h2 id={id} className="num" aria-live="polite">
              {total > 1 ? t`写真 ${n} / ${total}` : t`写真`}
            </h2>
            <Tool icon={X} label={t`閉じる`} isNamed onClick={leave} />
          </header>
          <div ref={stage} className={styles.stage} data-drag={drag !== 0 || undefined} {...gestures}>
            {[index - 1, index, index + 1]
              .filter((at) => hasAt(total, at))
              .map((at) => (
                <div
                  key={at}
                  className={styles.slide}
                  inert={at !== index}
                  style={{ transform: transformOf(at - index, drag, at === index ? zoom : WHOLE) }}
                >
                  {photos[at] && <Slide key={photos[at].key} photo={photos[at]} n={at + 1} />}
                </div>
              ))}
          </div>
          <div className={styles.tools}>
            <Tool icon={ChevronLeft} label={t`前の写真`} {...step(-1)} />
            <Tool icon={ZoomOut} label={t`縮小`} disabled={zoom.scale <= 1} onClick={() => set(1 / STEP)} />
            <Tool
              icon={ZoomIn}
              label={t`拡大`}
              disabled={zoom.scale >= MAX_SCALE}
              onClick={() => set(STEP)}
            />
            <Tool icon={ChevronRight} label={t`次の写真`} {...step(1)} />
          </div>
          <div className={styles.facts}>{photos[index] && <Facts photo={photos[index]} />}</div>
        </div>
      )}
    </Modal>
  )
}

/** A photo of the viewer, or why it is not there. */
function Slide({ photo, n }: { photo: ShownPhoto; n: number }) {
  const { t } = useLingui()
  const source = usePhotoSource(photo, 'whole')
  const src = urlOf(source)
  if (src !== undefined) return <img src={src} alt={t`写真${n}`} decoding="async" draggable={false} />
  const instead = {
    shown: '',
    reading: t`読み込み中`,
    absent: photo.hasFailed ? t`写真を取得できませんでした` : t`写真は端末に保存されていません`,
    broken: t`この写真は表示できません`,
  }
  return <output>{instead[source.state]}</output>
}

function Facts({ photo }: { photo: ShownPhoto }) {
  const { t } = useLingui()
  const { takenAt, takenFrom, position, positionFrom } = usePhotoFacts(photo)
  return (
    <>
      {takenAt !== undefined && <PhotoFact from={takenFrom}>{t`撮影日時 ${takenAt}`}</PhotoFact>}
      {position !== undefined && <PhotoFact from={positionFrom}>{t`位置情報 ${position}`}</PhotoFact>}
      <span>{photo.name}</span>
    </>
  )
}

interface ToolProps {
  icon: typeof X
  label: string
  isNamed?: boolean
  disabled?: boolean
  onClick: () => void
}

const Tool = ({ icon, label, isNamed = false, disabled = false, onClick }: ToolProps) => (
  <button
    type="button"
    className={styles.tool}
    aria-label={isNamed ? undefined : label}
    aria-disabled={disabled || undefined}
    onClick={() => disabled || onClick()}
  >
    <Icon as={icon} />
    {isNamed && label}
  </button>
)

const hasAt = (count: number, at: number) => at >= 0 && at < count

const transformOf = (offset: number, drag: number, { scale, x, y }: Zoom) =>
  `translateX(calc(${offset * 100}% + ${drag}px)) translate(${x}px, ${y}px) scale(${scale})`

interface ZoomOptions extends Pick<ViewerProps, 'index' | 'onIndex'> {
  count: number
  stage: { current: HTMLElement | null }
}

function useZoom({ stage, count, index, onIndex }: ZoomOptions) {
  // The zoom is stored with the index of its photo, so that it does not apply to another photo.
  const [{ photo, zoom }, setZoom] = useState({ photo: index, zoom: WHOLE })
  const [drag, setDrag] = useState(0)
  const current = photo === index ? zoom : WHOLE
  const view = () => stage.current?.getBoundingClientRect() ?? { width: 0, height: 0 }
  const put = (change: (zoom: Zoom) => Zoom) =>
    setZoom((before) => ({ photo: index, zoom: change(before.photo === index ? before.zoom : WHOLE) }))
  const set = (factor: number, at: Point = { x: 0, y: 0 }) =>
    put((before) => zoomed(before, factor, at, view()))
  const move = (by: -1 | 0 | 1) => {
    if (by !== 0 && hasAt(count, index + by)) onIndex(index + by)
  }
  const gestures = useGestures(stage, {
    onPan(by) {
      if (current.scale > 1) put((before) => panned(before, by, view()))
      else setDrag((before) => before + by.x)
    },
    onPinch(before, after) {
      const { factor, at, by } = pinched(before, after)
      setDrag(0)
      put((zoomBefore) => panned(zoomed(zoomBefore, factor, at, view()), by, view()))
    },
    onDoubleTap: (at) => put((before) => toggled(before, at, view())),
    onEnd(dx, ms) {
      if (current.scale === 1) move(swiped(dx, ms))
      setDrag(0)
    },
  })
  const keys = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') move(-1)
    if (key === 'ArrowRight') move(1)
    if (key === '+' || key === '=') set(STEP)
    if (key === '-') set(1 / STEP)
    if (key === '0') put(() => WHOLE)
  }
  return { zoom: current, drag, set, move, keys, gestures }
}

/** Callbacks for finger and mouse gestures. Points are relative to the element's centre, in CSS px. */
interface Gestures {
  onPan: (by: Point) => void
  onPinch: (before: readonly [Point, Point], after: readonly [Point, Point]) => void
  onDoubleTap: (at: Point) => void
  /** Called when the last finger lifts. `dx`: px, 0 after two fingers. `ms`: time since the first finger. */
  onEnd: (dx: number, ms: number) => void
}

const DOUBLE_TAP_MS = 300
const SAME_SPOT_PX = 24

/** Turns the pointer events of an element into gestures. The element needs `touch-action: none`. */
function useGestures(element: RefObject<HTMLElement | null>, gestures: Gestures) {
  const down = useRef(new Map<number, Point>())
  // Start of the gesture. `isLone` is false once a second finger was used.
  const first = useRef({ at: { x: 0, y: 0 }, ms: 0, isLone: true })
  const tap = useRef({ at: { x: 0, y: 0 }, ms: -Infinity })

  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const box = element.current?.getBoundingClientRect()
    return box
      ? { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 }
      : { x: 0, y: 0 }
  }

  function tapped(at: Point, ms: number) {
    const last = tap.current
    const isSecond = ms - last.ms < DOUBLE_TAP_MS && distance(at, last.at) < SAME_SPOT_PX
    tap.current = isSecond ? { at, ms: -Infinity } : { at, ms }
    if (isSecond) gestures.onDoubleTap(at)
  }

  const up = (event: PointerEvent) => {
    if (!down.current.delete(event.pointerId) || down.current.size > 0) return
    const at = pointOf(event)
    const { at: from, ms, isLone } = first.current
    const isTap = isLone && event.type === 'pointerup' && distance(at, from) < SAME_SPOT_PX / 2
    if (isTap) tapped(at, event.timeStamp)
    gestures.onEnd(isLone && event.type === 'pointerup' ? at.x - from.x : 0, event.timeStamp - ms)
  }

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.pointerType === 'mouse' && event.button !== 0) return
      event.currentTarget.setPointerCapture?.(event.pointerId)
      const at = pointOf(event)
      const isLone = down.current.size === 0
      first.current = isLone ? { at, ms: event.timeStamp, isLone } : { ...first.current, isLone }
      down.current.set(event.pointerId, at)
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const before = down.current.get(event.pointerId)
      if (!before) return
      const at = pointOf(event)
      const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1]
      down.current.set(event.pointerId, at)
      if (other) gestures.onPinch([before, other], [at, other])
      else gestures.onPan({ x: at.x - before.x, y: at.y - before.y })
    },
    onPointerUp: up,
    onPointerCancel: up,
  }
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)
