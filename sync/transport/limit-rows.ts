/**
 * The rows of a long list, each as JSON of its own (RULES PL11): parsing a hundred thousand rows to throw nearly all of them
 * away would hold up the screen, and so would many megabytes at once. It goes through the bytes, of which only what is taken
 * becomes a text.
 *
 * A value's weight is its bytes, of a text no more than is taken of it: what parsing, checking and storing it costs.
 */
import {
  ANSWER_ROW_WEIGHT_MAX,
  ANSWER_ROWS_MAX,
  ANSWER_TEXT_MAX,
  ANSWER_WEIGHT_MAX,
} from '#schemas/limits.ts'
import type { Sliced } from '../lib/slices.ts'

interface CutRows {
  /** JSON of each; null is one that is too heavy. */
  rows: (Uint8Array | null)[]
  /** There are more, which were not looked at. */
  hasMore: boolean
}

/** After so many signs the screen may have its frame. */
const AT_ONCE = 20_000
/** Bytes of a character that is no ASCII, as nearly all of a long text are. */
const WIDTH = 3

const codeOf = (sign: string) => sign.charCodeAt(0)
const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE] = [
  codeOf('"'),
  codeOf('\\'),
  codeOf(','),
  codeOf('['),
  codeOf(']'),
]
const [OPEN_OBJECT, CLOSE_OBJECT] = [codeOf('{'), codeOf('}')]
const BLANK: readonly (number | undefined)[] = [' ', '\n', '\r', '\t'].map(codeOf)

/** Where the first byte from here on is that is no blank. */
function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && BLANK.includes(bytes[at])) at += 1
  return at
}

export const isList = (bytes: Uint8Array): boolean => bytes[afterBlanks(bytes, 0)] === OPEN

/** @returns null where it is no list, or is none to its end */
export function* cutRows(bytes: Uint8Array): Sliced<CutRows | null> {
  if (!isList(bytes)) return null
  const rows: (Uint8Array | null)[] = []
  let weight = 0
  for (let begin = afterBlanks(bytes, 0) + 1; ;) {
    const value = yield* valueAt(bytes, begin)
    const isLast = bytes[value.end] === CLOSE
    if (!isLast && bytes[value.end] !== COMMA) return null
    const isAll = isLast && afterBlanks(bytes, value.end + 1) === bytes.length
    if (isLast && rows.length === 0 && afterBlanks(bytes, begin) === value.end)
      return isAll ? { rows, hasMore: false } : null
    const isHeavy = value.weight > ANSWER_ROW_WEIGHT_MAX
    if (!isHeavy) weight += value.weight
    if (rows.length === ANSWER_ROWS_MAX || weight > ANSWER_WEIGHT_MAX) return { rows, hasMore: true }
    rows.push(isHeavy ? null : bytes.subarray(begin, value.end))
    if (isLast) return isAll ? { rows, hasMore: false } : null
    begin = value.end + 1
  }
}

/** What a value weighs that is no list of rows. */
export function* weightOf(bytes: Uint8Array): Sliced<number> {
  return (yield* valueAt(bytes, 0)).weight
}

/** The value that begins here: where the comma or the bracket after it is, and its weight. */
function* valueAt(bytes: Uint8Array, begin: number): Sliced<{ end: number; weight: number }> {
  let [depth, weight] = [0, 0]
  let at = begin
  for (let signs = 1; at < bytes.length; at += 1, signs += 1) {
    if (signs % AT_ONCE === 0) yield
    const code = bytes[at]
    weight += 1
    if (code === QUOTE) {
      const end = endOfText(bytes, at)
      weight += Math.min(end - at, ANSWER_TEXT_MAX * WIDTH)
      at = end
    } else if (code === OPEN || code === OPEN_OBJECT) depth += 1
    else if (code === CLOSE || code === CLOSE_OBJECT) {
      if (depth === 0) break
      depth -= 1
    } else if (code === COMMA && depth === 0) break
  }
  return { end: at, weight }
}

/** Where the text that begins here ends: at the next quote that is not escaped. */
function endOfText(bytes: Uint8Array, begin: number): number {
  let end = bytes.indexOf(QUOTE, begin + 1)
  while (end > 0 && isEscaped(bytes, end, begin)) end = bytes.indexOf(QUOTE, end + 1)
  return end < 0 ? bytes.length : end
}

function isEscaped(bytes: Uint8Array, quote: number, begin: number): boolean {
  let at = quote - 1
  while (at > begin && bytes[at] === BACKSLASH) at -= 1
  return (quote - 1 - at) % 2 === 1
}
