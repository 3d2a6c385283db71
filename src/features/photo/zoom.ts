import type { Size } from '#lib/image/image.ts'
import type { Point } from '#lib/image/marks.ts'

export interface Zoom {
  scale: number
  x: number
  y: number
}

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 }
export const MAX_SCALE = 6
export const STEP = 1.6
const DOUBLE_TAP_SCALE = 2.5

/** Changes the zoom; the point `at` (px from the view's centre) stays over the same spot of the photo. */
export function zoomed(zoom: Zoom, factor: number, at: Point, view: Size): Zoom {
  const scale = Math.min(MAX_SCALE, Math.max(1, zoom.scale * factor))
  const ratio = scale / zoom.scale
  return within({ scale, x: at.x - (at.x - zoom.x) * ratio, y: at.y - (at.y - zoom.y) * ratio }, view)
}

export const panned = (zoom: Zoom, by: Point, view: Size): Zoom =>
  within({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, view)

export const toggled = (zoom: Zoom, at: Point, view: Size): Zoom =>
  zoom.scale > 1 ? WHOLE : zoomed(zoom, DOUBLE_TAP_SCALE, at, view)

function within({ scale, x, y }: Zoom, { width, height }: Size): Zoom {
  const bound = (value: number, length: number) => {
    const most = ((scale - 1) * length) / 2
    return Math.min(most, Math.max(-most, value)) || 0
  }
  return { scale, x: bound(x, width), y: bound(y, height) }
}

/** Returns the scale factor of a two-finger gesture, the fingers' centre, and the centre's movement. */
export function pinched(before: readonly [Point, Point], after: readonly [Point, Point]) {
  const length = ([a, b]: readonly [Point, Point]) => Math.hypot(a.x - b.x, a.y - b.y)
  const middle = ([a, b]: readonly [Point, Point]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
  const [from, to] = [middle(before), middle(after)]
  return {
    factor: length(after) / Math.max(1, length(before)),
    at: to,
    by: { x: to.x - from.x, y: to.y - from.y },
  }
}

const SWIPE_PX = 60
const SWIPE_PX_PER_MS = 0.4

/** -1 if a swipe of `dx` px in `ms` shows the previous photo, 1 for the next, 0 for no swipe. */
export function swiped(dx: number, ms: number): -1 | 0 | 1 {
  const isSwipe =
    Math.abs(dx) > SWIPE_PX || (Math.abs(dx) > 20 && Math.abs(dx) / Math.max(1, ms) > SWIPE_PX_PER_MS)
  if (!isSwipe) return 0
  return dx < 0 ? 1 : -1
}
