import { useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight, X, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Icon } from '#ui/base/icon.tsx'
import { Modal } from '#ui/popup/sheet.tsx'
import { useGestures } from './use-gestures.ts'
import {
  MAX_SCALE,
  panned,
  pinched,
  STEP,
  swiped,
  toggled,
  WHOLE,
  zoomed,
  type ViewPoint,
  type Zoom,
} from './zoom.ts'
import styles from './viewer.module.css'

interface ViewerProps {
  /** Number of photos. `index` is the shown photo, counted from 0. */
  count: number
  index: number
  onIndex: (index: number) => void
  onClose: () => void
  /** Renders the photo at an index as a Slide. */
  slide: (index: number) => ReactNode
  children: ReactNode
}

/**
 * Shows one photo at a time in full-screen size. Two fingers, a double tap, buttons and keys zoom; a swipe, buttons and
 * keys show the next photo. It is a modal dialog on top of the sheet that opened it.
 */
export function Viewer({ count, index, onIndex, onClose, slide, children }: ViewerProps) {
  const { t } = useLingui()
  const id = useId()
  const stage = useRef<HTMLDivElement>(null)
  const { zoom, drag, set, move, keys, gestures } = useZoom({ stage, count, index, onIndex })
  const step = (by: -1 | 1) => ({ disabled: !hasAt(count, index + by), onClick: () => move(by) })
  const [n, total] = [index + 1, count]
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
              .filter((at) => hasAt(count, at))
              .map((at) => (
                <div
                  key={at}
                  className={styles.slide}
                  inert={at !== index}
                  style={{ transform: transformOf(at - index, drag, at === index ? zoom : WHOLE) }}
                >
                  {slide(at)}
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
          <div className={styles.facts}>{children}</div>
        </div>
      )}
    </Modal>
  )
}

interface ToolProps {
  icon: typeof X
  label: string
  /** Shows the label next to the icon. */
  isNamed?: boolean
  disabled?: boolean
  onClick: () => void
}

function Tool({ icon, label, isNamed = false, disabled = false, onClick }: ToolProps) {
  return (
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
}

interface SlideProps {
  /** Undefined while the photo loads. */
  src: string | undefined
  alt: string
  instead: string
}

/** A photo of the viewer; the text `instead` replaces a photo that is not there. */
export function Slide({ src, alt, instead }: SlideProps) {
  if (src === undefined) return <output>{instead}</output>
  return <img src={src} alt={alt} decoding="async" draggable={false} />
}

const hasAt = (count: number, at: number) => at >= 0 && at < count

/**
 * Returns the CSS transform of a photo.
 * @param offset 0 for the shown photo, -1 and 1 for its neighbours
 * @param drag horizontal distance of a swipe in px
 */
const transformOf = (offset: number, drag: number, { scale, x, y }: Zoom) =>
  `translateX(calc(${offset * 100}% + ${drag}px)) translate(${x}px, ${y}px) scale(${scale})`

interface ZoomOptions extends Pick<ViewerProps, 'count' | 'index' | 'onIndex'> {
  stage: { current: HTMLElement | null }
}

/** Zoom and position of the shown photo. Each photo starts unzoomed. */
function useZoom({ stage, count, index, onIndex }: ZoomOptions) {
  // The zoom is stored with the index of its photo, so that it does not apply to another photo.
  const [{ photo, zoom }, setZoom] = useState({ photo: index, zoom: WHOLE })
  const [drag, setDrag] = useState(0)
  const current = photo === index ? zoom : WHOLE
  const view = () => stage.current?.getBoundingClientRect() ?? { width: 0, height: 0 }
  const put = (change: (zoom: Zoom) => Zoom) =>
    setZoom((before) => ({ photo: index, zoom: change(before.photo === index ? before.zoom : WHOLE) }))
  const set = (factor: number, at: ViewPoint = { x: 0, y: 0 }) =>
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
