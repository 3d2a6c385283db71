/**
 * The signature of 立会者 as strokes, not as a picture: it survives a rotated phone or a keyboard that appears, and is
 * sharp at any size.
 */
import { type } from 'arktype'

/** The pad, in its own units. */
export const PAD = { width: 600, height: 300 }
/** Length of a name. */
export const SIGNER_MAX = 120
/** A signature has some hundred points; what has more is none. */
const POINTS_MAX = 10_000
/** Shorter movements of a finger add no point. */
const STEP = 2

const signatureSchema = type({
  name: `string <= ${SIGNER_MAX}`,
  /** ISO 8601: when the last stroke was drawn; empty before the first. */
  at: 'string <= 40',
  /** x and y of each point, one after the other. */
  strokes: 'number[][]',
})
const fromJson = type('string.json.parse').to(signatureSchema)
export type Signature = typeof signatureSchema.infer
type Stroke = readonly number[]

export const NO_SIGNATURE: Signature = { name: '', at: '', strokes: [] }

/** Returns the stroke continued to a point, which is moved into the pad. */
export function continued(stroke: Stroke, { x, y }: { x: number; y: number }): Stroke {
  const point = [within(x, PAD.width), within(y, PAD.height)] as const
  const [lastX = -STEP, lastY = -STEP] = stroke.slice(-2)
  return Math.hypot(point[0] - lastX, point[1] - lastY) < STEP ? stroke : [...stroke, ...point]
}

const within = (value: number, most: number) => Math.round(Math.min(Math.max(value, 0), most))

/** Returns the signature with one more stroke. */
export function signed(signature: Signature, stroke: Stroke, at: string): Signature {
  const next = { ...signature, at, strokes: [...signature.strokes, [...stroke]] }
  return pointsIn(next) > POINTS_MAX ? signature : next
}

const pointsIn = ({ strokes }: Signature) => strokes.reduce((sum, { length }) => sum + length / 2, 0)

/** One point alone is a dot by accident. */
export const isSigned = ({ strokes }: Pick<Signature, 'strokes'>) => strokes.some(({ length }) => length > 2)

/** Returns the points of a stroke, each as x and y. */
export const pointsOf = (stroke: Stroke): [number, number][] =>
  stroke.flatMap((x, at) => (at % 2 === 0 ? [[x, stroke[at + 1] ?? 0] as [number, number]] : []))

/** Returns the signature in a draft's values, which are JSON; anything else is none. */
export function signatureIn(values: string): Signature {
  const read = fromJson(values)
  return read instanceof type.errors || pointsIn(read) > POINTS_MAX ? NO_SIGNATURE : read
}
