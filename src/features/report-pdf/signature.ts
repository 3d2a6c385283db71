/**
 * The signature of 立会者 as strokes, not as a picture: turning the phone, or a keyboard that appears, takes nothing of it,
 * and it is drawn sharp at any size.
 */
import { type } from 'arktype'

/** The pad, in units of its own. */
export const PAD = { width: 600, height: 200 }
/** Length of a name. */
export const SIGNER_MAX = 120
/** A signature has some hundred points; what has more is no signature. */
const POINTS_MAX = 10_000
/** Shorter movements of a finger add no point. */
const STEP = 2

const signatureSchema = type({
  name: `string <= ${SIGNER_MAX}`,
  /** ISO 8601: when the last stroke was drawn; '' before the first. */
  at: 'string <= 40',
  /** x and y of each point, one after the other. */
  strokes: 'number[][]',
})
export type Signature = typeof signatureSchema.infer

export const NO_SIGNATURE: Signature = { name: '', at: '', strokes: [] }

/** A point further on in the last stroke, or the beginning of another one. */
export function drawnTo(signature: Signature, { x, y }: { x: number; y: number }, isNew: boolean): Signature {
  const { strokes } = signature
  const point = [within(x, PAD.width), within(y, PAD.height)] as const
  const last = strokes.at(-1)
  if (pointsIn(signature) >= POINTS_MAX) return signature
  if (isNew || !last) return { ...signature, strokes: [...strokes, [...point]] }
  const [beforeX = 0, beforeY = 0] = last.slice(-2)
  if (Math.hypot(point[0] - beforeX, point[1] - beforeY) < STEP) return signature
  return { ...signature, strokes: [...strokes.slice(0, -1), [...last, ...point]] }
}

const within = (value: number, most: number) => Math.round(Math.min(Math.max(value, 0), most))

const pointsIn = ({ strokes }: Signature) => strokes.reduce((sum, { length }) => sum + length / 2, 0)

/** A point alone is a dot by accident. */
export const isSigned = ({ strokes }: Pick<Signature, 'strokes'>) => strokes.some(({ length }) => length > 2)

/** Points of a stroke, each as x and y. */
export const pointsOf = (stroke: readonly number[]): [number, number][] =>
  Array.from({ length: Math.floor(stroke.length / 2) }, (_, at) => [
    stroke[2 * at] ?? 0,
    stroke[2 * at + 1] ?? 0,
  ])

/** The signature in a draft's values; anything else is none. */
export function signatureIn(values: unknown): Signature {
  const read = signatureSchema(values)
  return read instanceof type.errors || pointsIn(read) > POINTS_MAX ? NO_SIGNATURE : read
}
