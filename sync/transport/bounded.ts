/**
 * An answer no deeper, longer or wider than anything can be (RULES PL11): what follows recurses, draws and stores it. By a
 * list and not by recursion, because a stack ends.
 */
import {
  ANSWER_DEPTH_MAX,
  ANSWER_LETTERS_MAX,
  ANSWER_ROWS_MAX,
  ANSWER_SIGNS_MAX,
  ANSWER_TEXT_MAX,
} from '#schemas/limits.ts'

export interface Bounded {
  body: unknown
  /** What it had more of than is taken, a word each: for the error log. */
  leftOut: string[]
  /** More rows than are taken, where some of the list itself were left out; all that it had may be more still. */
  rows: number | null
}

/** What was cut ends so. */
const CUT = '…'

interface Place {
  value: object
  depth: number
}

/** @param body what JSON can say; it is changed in place */
export function bounded(body: unknown): Bounded {
  const leftOut = new Set<string>()
  const rows = Array.isArray(body) && body.length > ANSWER_ROWS_MAX ? body.length : null
  const left: Place[] = []
  const within = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') {
      const end = endOf(value)
      if (end === value.length) return value
      leftOut.add(`${value.length - end} of a text's ${value.length} characters`)
      return value.slice(0, end) + CUT
    }
    if (typeof value !== 'object' || value === null) return value
    if (depth > ANSWER_DEPTH_MAX) {
      leftOut.add(`what lies below ${ANSWER_DEPTH_MAX} levels`)
      return null
    }
    if (Array.isArray(value) && value.length > ANSWER_ROWS_MAX) {
      leftOut.add(`what comes after ${ANSWER_ROWS_MAX} rows`)
      value.length = ANSWER_ROWS_MAX
    }
    left.push({ value, depth })
    return value
  }
  const whole = within(body, 1)
  for (let next = left.pop(); next; next = left.pop()) replaceEach(next, within)
  return { body: whole, leftOut: [...leftOut], rows }
}

function replaceEach({ value, depth }: Place, within: (value: unknown, depth: number) => unknown): void {
  for (const [name, inner] of Object.entries(value)) {
    const taken = within(inner, depth + 1)
    if (taken === inner) continue
    // `__proto__` is a name like any other in JSON
    Object.defineProperty(value, name, { value: taken, writable: true, enumerable: true, configurable: true })
  }
}

/** Letters that are no ASCII (a token or an address may have any number of those), or signs. */
const RUNS = /([^\s\p{ASCII}\p{P}\p{S}]+)|[\p{P}\p{S}]+/gu

/** Where a text is cut; its length where it is like any other. */
function endOf(text: string): number {
  if (text.length <= ANSWER_SIGNS_MAX) return text.length
  const end = text.length > ANSWER_TEXT_MAX ? ANSWER_TEXT_MAX - CUT.length : text.length
  for (const { 0: run, 1: letters, index } of text.slice(0, end).matchAll(RUNS)) {
    const most = letters === undefined ? ANSWER_SIGNS_MAX : ANSWER_LETTERS_MAX
    if (run.length > most) return whole(text, index + most)
  }
  return end === text.length ? end : whole(text, end)
}

/** Not between the halves of one character. */
const whole = (text: string, end: number) => (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end)
