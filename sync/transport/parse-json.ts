/**
 * Parses JSON within the limits of depth, length, width and weight (RULES PL11). Long JSON is parsed in slices,
 * between which the screen can render. The weight of a value is its size in bytes, where each text counts only up to
 * its limit.
 */
import {
  ANSWER_WEIGHT_MAX,
  ANSWER_ROW_WEIGHT_MAX,
  ANSWER_ROWS_MAX,
  ANSWER_TEXT_MAX,
} from '#schemas/limits.ts'
import { inSlices, type Sliced } from '../lib/slices.ts'
import { limitedSize, limitedSizeInSlices, type LimitedBody } from './limit-size.ts'

/** Number of bytes that can be parsed in one step without skipping a frame. */
export const PARSE_AT_ONCE_MAX = 100_000

/** Nesting level of a list's rows. */
const ROW_DEPTH = 2

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Parses bytes; null if they are not JSON. */
export async function parseJson(bytes: Uint8Array): Promise<LimitedBody | null> {
  try {
    if (bytes.length <= PARSE_AT_ONCE_MAX) return limitedSize(JSON.parse(textOf(bytes)))
    return await inSlices(isList(bytes) ? parseRowsInSlices(bytes) : parseOneInSlices(bytes))
  } catch {
    return null
  }
}

/** Parses a list row by row, so that a row that is too large costs no other row. */
function* parseRowsInSlices(bytes: Uint8Array): Sliced<LimitedBody | null> {
  const split = yield* splitRows(bytes)
  if (!split) return null
  const omitted = new Set<string>()
  const body: unknown[] = []
  for (const row of split.rows) {
    if (row === null) omitted.add('a row that is too large')
    body.push(row === null ? null : yield* limitedSizeInSlices(JSON.parse(textOf(row)), omitted, ROW_DEPTH))
    yield
  }
  if (split.hasMore) omitted.add(`what comes after ${body.length} rows`)
  // `rows` is one higher than the number of parsed rows, which shows that the list was cut. The real number is
  // unknown.
  return { body, omitted: [...omitted], rows: split.hasMore ? body.length + 1 : null }
}

function* parseOneInSlices(bytes: Uint8Array): Sliced<LimitedBody> {
  const { weight } = yield* valueAt(bytes, 0)
  if (weight > ANSWER_WEIGHT_MAX)
    return { body: null, omitted: [`all of its ${bytes.length} bytes`], rows: null, isTooLarge: true }
  const omitted = new Set<string>()
  const body = yield* limitedSizeInSlices(JSON.parse(textOf(bytes)), omitted)
  return { body, omitted: [...omitted], rows: null }
}

interface SplitRows {
  /** The JSON of each row; null for a row that exceeds the weight limit. */
  rows: (Uint8Array | null)[]
  /** True if the list has further rows that were not read. */
  hasMore: boolean
}

const CHARACTERS_PER_SLICE = 20_000
/** Bytes of a non-ASCII character. Nearly all long texts are Japanese. */
const WIDTH = 3

const codesOf = (characters: string) => new TextEncoder().encode(characters)
const [QUOTE = 0, BACKSLASH, COMMA, OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = codesOf('"\\,[]{}')
const BLANK: readonly (number | undefined)[] = [...codesOf(' \n\r\t')]

/** Position of the next byte that is not white space. */
function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && BLANK.includes(bytes[at])) at += 1
  return at
}

const isList = (bytes: Uint8Array): boolean => bytes[afterBlanks(bytes, 0)] === OPEN

/**
 * Splits a long list into the JSON of its rows (RULES PL11). Parsing many megabytes in one step would block the
 * screen, so this function scans bytes, and only accepted rows are parsed.
 * @returns null if the bytes are not a complete list
 */
export function* splitRows(bytes: Uint8Array): Sliced<SplitRows | null> {
  if (!isList(bytes)) return null
  const rows: (Uint8Array | null)[] = []
  let weight = 0
  for (let begin = afterBlanks(bytes, 0) + 1; ;) {
    const value = yield* valueAt(bytes, begin)
    const isLast = bytes[value.end] === CLOSE
    if (!isLast && bytes[value.end] !== COMMA) return null
    const isAtEnd = isLast && afterBlanks(bytes, value.end + 1) === bytes.length
    if (isLast && rows.length === 0 && afterBlanks(bytes, begin) === value.end)
      return isAtEnd ? { rows, hasMore: false } : null
    const isHeavy = value.weight > ANSWER_ROW_WEIGHT_MAX
    if (!isHeavy) weight += value.weight
    if (rows.length === ANSWER_ROWS_MAX || weight > ANSWER_WEIGHT_MAX) return { rows, hasMore: true }
    rows.push(isHeavy ? null : bytes.subarray(begin, value.end))
    if (isLast) return isAtEnd ? { rows, hasMore: false } : null
    begin = value.end + 1
  }
}

/** Scans one value. @returns the position of the comma or bracket after the value, and the value's weight */
function* valueAt(bytes: Uint8Array, begin: number): Sliced<{ end: number; weight: number }> {
  let [depth, weight] = [0, 0]
  let at = begin
  for (let signs = 1; at < bytes.length; at += 1, signs += 1) {
    if (signs % CHARACTERS_PER_SLICE === 0) yield
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

/** Position of the quote that ends a text. */
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
