/**
 * Limits the depth, length and width of a response (RULES PL11), because later code recurses over it, renders
 * and stores it. Works with a list instead of recursion, because the stack is limited.
 */
import { ANSWER_DEPTH_MAX, ANSWER_ROWS_MAX } from '#schemas/limits.ts'
import { atOnce, type Sliced } from '../lib/slices.ts'
import { CUT, endOf } from './truncate.ts'

/** A response within the limits. */
export interface Bounded {
  body: unknown
  /** Descriptions of what was cut, for the error log. */
  leftOut: string[]
  /** Number of rows if rows of the list itself were cut; the list may have even more. Else null. */
  rows: number | null
  /** True if nothing of it was accepted. */
  isTooLarge?: true
}

interface Place {
  value: object
  depth: number
}

/**
 * Limits a parsed response.
 * @param body parsed JSON, changed in place
 */
export function bounded(body: unknown): Bounded {
  const leftOut = new Set<string>()
  const rows = Array.isArray(body) && body.length > ANSWER_ROWS_MAX ? body.length : null
  return { body: atOnce(bounding(body, leftOut)), leftOut: [...leftOut], rows }
}

/**
 * Limits a value in slices.
 * @param depth of the value in its response
 */
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

/** Values per slice of work. */
const AT_ONCE = 50

function* replaceEach(
  { value, depth }: Place,
  within: (value: unknown, depth: number) => unknown,
): Sliced<void> {
  let seen = 0
  for (const [name, inner] of Object.entries(value)) {
    if (++seen % AT_ONCE === 0) yield
    const limited = within(inner, depth + 1)
    if (limited === inner) continue
    // In JSON, `__proto__` is an ordinary name.
    Object.defineProperty(value, name, {
      value: limited,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  }
  yield
}
