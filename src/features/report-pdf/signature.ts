/** The signature of 立会者. It is stored as strokes instead of a picture, so that it stays sharp at any size of the pad. */
import { type } from 'arktype'

/** Size of the pad in drawing units. */
export const PAD = { width: 600, height: 300 }
export const SIGNER_MAX = 120
/** Maximum number of points. A real signature has a few hundred. */
const POINTS_MAX = 10_000
/** Shortest distance between two points of a stroke, in units of the pad. */
const STEP = 2

const signatureSchema = type({
  name: `string <= ${SIGNER_MAX}`,
  /** Time of the last stroke, ISO 8601; empty before the first stroke. */
  at: 'string <= 40',
  /** Each stroke lists its points as x, y, x, y, … */
  strokes: 'number[][]',
})
const fromJson = type('string.json.parse').to(signatureSchema)
export type Signature = typeof signatureSchema.infer
type Stroke = readonly number[]

export const NO_SIGNATURE: Signature = { name: '', at: '', strokes: [] }

/** Returns the stroke with one more point. A point outside the pad moves to its edge. */
export function continued(stroke: Stroke, { x, y }: { x: number; y: number }): Stroke {
  const point = [within(x, PAD.width), within(y, PAD.height)] as const
  const [lastX = -STEP, lastY = -STEP] = stroke.slice(-2)
  return Math.hypot(point[0] - lastX, point[1] - lastY) < STEP ? stroke : [...stroke, ...point]
}

const within = (value: number, most: number) => Math.round(Math.min(Math.max(value, 0), most))

export function signed(signature: Signature, stroke: Stroke, at: string): Signature {
  const next = { ...signature, at, strokes: [...signature.strokes, [...stroke]] }
  return pointsIn(next) > POINTS_MAX ? signature : next
}

const pointsIn = ({ strokes }: Signature) => strokes.reduce((sum, { length }) => sum + length / 2, 0)

/** True if a stroke has more than one point (x, y). A single point may be an accident. */
export const isSigned = ({ strokes }: Pick<Signature, 'strokes'>) => strokes.some(({ length }) => length > 2)

/** Returns the points of a stroke as pairs of x and y. */
export const pointsOf = (stroke: Stroke): [number, number][] =>
  stroke.flatMap((x, at) => (at % 2 === 0 ? [[x, stroke[at + 1] ?? 0] as [number, number]] : []))

/** Parses the signature in a draft's values. Returns NO_SIGNATURE for invalid values. */
export function signatureIn(values: string): Signature {
  const read = fromJson(values)
  return read instanceof type.errors || pointsIn(read) > POINTS_MAX ? NO_SIGNATURE : read
}
