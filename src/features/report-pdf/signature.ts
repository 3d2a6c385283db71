/**
 * The signature of 立会者 as strokes, not as a picture: turning the phone, or a keyboard that comes, takes nothing of it, and
 * it is drawn sharp at any size.
 */

/** The pad, in units of its own; a point is x and y one after the other. */
export const PAD = { width: 600, height: 200 }
export type Stroke = readonly number[]

export interface Signature {
  name: string
  /** ISO 8601: when the last stroke was drawn; '' before the first. */
  at: string
  strokes: readonly Stroke[]
}

export const NO_SIGNATURE: Signature = { name: '', at: '', strokes: [] }

/** Of a name: what is longer is no name. */
export const SIGNER_MAX = 120
/** A signature has some hundred points; what has more is no signature. */
const POINTS_MAX = 10_000
/** A finger that shakes adds no points. */
const STEP = 2

/** A point further on in the last stroke, or the beginning of another one. */
export function drawnTo(
  { strokes, ...signature }: Signature,
  { x, y }: { x: number; y: number },
  isNew: boolean,
): Signature {
  const point = [within(x, PAD.width), within(y, PAD.height)] as const
  const last = strokes.at(-1)
  const count = strokes.reduce((sum, { length }) => sum + length / 2, 0)
  if (count >= POINTS_MAX) return { ...signature, strokes }
  if (isNew || !last) return { ...signature, strokes: [...strokes, point] }
  const [beforeX = 0, beforeY = 0] = last.slice(-2)
  if (Math.hypot(point[0] - beforeX, point[1] - beforeY) < STEP) return { ...signature, strokes }
  return { ...signature, strokes: [...strokes.slice(0, -1), [...last, ...point]] }
}

const within = (value: number, most: number) => Math.round(Math.min(Math.max(value, 0), most))

/** A point alone is a dot by accident. */
export const isSigned = ({ strokes }: Pick<Signature, 'strokes'>) => strokes.some(({ length }) => length > 2)

/** Points of a stroke, each as x and y. */
export const pointsOf = (stroke: Stroke): [number, number][] =>
  Array.from({ length: Math.floor(stroke.length / 2) }, (_, at) => [
    stroke[2 * at] ?? 0,
    stroke[2 * at + 1] ?? 0,
  ])

/** What a draft holds of one; what is none is no signature. */
export function signatureIn(values: unknown): Signature {
  if (typeof values !== 'object' || values === null) return NO_SIGNATURE
  const textOf = (name: string, most: number) => {
    const text: unknown = Reflect.get(values, name)
    return typeof text === 'string' && text.length <= most ? text : ''
  }
  const strokes: unknown = Reflect.get(values, 'strokes')
  const isStroke = (each: unknown): each is Stroke =>
    Array.isArray(each) && each.every((part) => typeof part === 'number' && Number.isFinite(part))
  const read = Array.isArray(strokes) ? strokes.filter(isStroke) : []
  const count = read.reduce((sum, { length }) => sum + length / 2, 0)
  return {
    name: textOf('name', SIGNER_MAX),
    at: textOf('at', 40),
    strokes: count <= POINTS_MAX ? read : [],
  }
}
