/**
 * An answer no deeper, longer or wider than anything can be (RULES PL11): what follows recurses, draws and stores it. By a
 * list and not by recursion, because a stack ends.
 */
import { ANSWER_DEPTH_MAX, ANSWER_ROWS_MAX } from '#schemas/limits.ts'
import { atOnce, type Sliced } from '../lib/slices.ts'
import { CUT, endOf } from './truncate.ts'

export interface Bounded {
  body: unknown
  /** What it had more of than is taken, a word each: for the error log. */
  leftOut: string[]
  /** More rows than are taken, where some of the list itself were left out; all that it had may be more still. */
  rows: number | null
  /** Nothing of it was taken. */
  isTooLarge?: true
}

interface Place {
  value: object
  depth: number
}

/** @param body what JSON can say; it is changed in place */
export function bounded(body: unknown): Bounded {
  const leftOut = new Set<string>()
  const rows = Array.isArray(body) && body.length > ANSWER_ROWS_MAX ? body.length : null
  return { body: atOnce(bounding(body, leftOut)), leftOut: [...leftOut], rows }
}

/** @param depth of the value in its answer */
export function* bounding(body: unknown, leftOut: Set<string>, depth = 1): Sliced<unknown> {
  const left: Place[] = []
  const within = (value: unknown, at: number): unknown => {
    if (typeof value === 'string') {
      const end = endOf(value)
      if (end === value.length) return value
      leftOut.add(`${value.length - end} of a text's ${value.length} characters`)
      return value.slice(0, end) + CUT
    }
    if (typeof value !== 'object' || value === null) return value
    if (at > ANSWER_DEPTH_MAX) {
      leftOut.add(`what lies below ${ANSWER_DEPTH_MAX} levels`)
      return null
    }
    if (Array.isArray(value) && value.length > ANSWER_ROWS_MAX) {
      leftOut.add(`what comes after ${ANSWER_ROWS_MAX} rows`)
      value.length = ANSWER_ROWS_MAX
    }
    left.push({ value, depth: at })
    return value
  }
  const whole = within(body, depth)
  for (let next = left.pop(); next; next = left.pop()) yield* replaceEach(next, within)
  return whole
}

/** After so many values the screen may have its frame. */
const AT_ONCE = 50

function* replaceEach(
  { value, depth }: Place,
  within: (value: unknown, depth: number) => unknown,
): Sliced<void> {
  let looked = 0
  for (const [name, inner] of Object.entries(value)) {
    if (++looked % AT_ONCE === 0) yield
    const taken = within(inner, depth + 1)
    if (taken === inner) continue
    // `__proto__` is a name like any other in JSON
    Object.defineProperty(value, name, { value: taken, writable: true, enumerable: true, configurable: true })
  }
  yield
}
