import { type PointerEvent, type RefObject, useRef } from 'react'
import type { ViewPoint } from './zoom.ts'

/** Callbacks for finger and mouse gestures. Points are relative to the element's centre, in CSS px. */
interface Gestures {
  onPan: (by: ViewPoint) => void
  onPinch: (before: readonly [ViewPoint, ViewPoint], after: readonly [ViewPoint, ViewPoint]) => void
  onDoubleTap: (at: ViewPoint) => void
  /**
   * Called when the last finger lifts.
   * @param dx horizontal distance in CSS px; 0 if two fingers were used
   * @param ms time since the first finger
   */
  onEnd: (dx: number, ms: number) => void
}

const DOUBLE_TAP_MS = 300
const SAME_SPOT_PX = 24

/** Turns the pointer events of an element into gestures. The element needs `touch-action: none`. */
export function useGestures(element: RefObject<HTMLElement | null>, gestures: Gestures) {
  // Last position of each finger that is down, by pointer id.
  const down = useRef(new Map<number, ViewPoint>())
  // Start of the gesture. `isLone` is false once a second finger was used.
  const first = useRef({ at: { x: 0, y: 0 }, ms: 0, isLone: true })
  // The last tap, which may become the first half of a double tap.
  const tap = useRef({ at: { x: 0, y: 0 }, ms: -Infinity })

  const pointOf = ({ clientX, clientY }: PointerEvent): ViewPoint => {
    const box = element.current?.getBoundingClientRect()
    return box
      ? { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 }
      : { x: 0, y: 0 }
  }

  function tapped(at: ViewPoint, ms: number) {
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

const distance = (a: ViewPoint, b: ViewPoint) => Math.hypot(a.x - b.x, a.y - b.y)
