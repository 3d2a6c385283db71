/**
 * Parses JSON within the limits of depth, length, width and weight (RULES PL11), because other code renders and stores
 * it. Long JSON is parsed in slices, between which the screen can render. The weight of a value is its size in bytes,
 * where each text counts only up to its limit.
 */
import {
  ANSWER_DEPTH_MAX,
  ANSWER_LETTERS_MAX,
  ANSWER_ROWS_MAX,
  ANSWER_ROW_WEIGHT_MAX,
  ANSWER_SIGNS_MAX,
  ANSWER_TEXT_MAX,
  ANSWER_WEIGHT_MAX,
} from '#schemas/limits.ts'
import { atOnce, inSlices, type Sliced } from '#sync/lib/slices.ts'

/** Number of bytes that can be parsed in one step without skipping a frame. */
export const PARSE_AT_ONCE_MAX = 100_000

/**
 * `body`: undefined if the whole answer is too large. `omitted`: descriptions of omitted values, for the error log.
 * `rows`: for a list that was cut, a number larger than the number of rows in `body`; otherwise null.
 */
type LimitedBody = { body: unknown; omitted: string[]; rows: number | null }

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Parses bytes; null if they are not JSON. */
export async function parseJson(bytes: Uint8Array): Promise<LimitedBody | null> {
  try {
    if (bytes.length <= PARSE_AT_ONCE_MAX) return limitedSize(JSON.parse(textOf(bytes)))
    return await inSlices(bytes[afterBlanks(bytes, 0)] === OPEN ? parseRows(bytes) : parseOne(bytes))
  } catch {
    return null
  }
}

/** Omits the values of parsed JSON that exceed the limits of this file, in place. */
export function limitedSize(body: unknown): LimitedBody {
  const omitted = new Set<string>()
  const rows = Array.isArray(body) && body.length > ANSWER_ROWS_MAX ? body.length : null
  return { body: atOnce(limited(body, omitted)), omitted: [...omitted], rows }
}

/**
 * Parses a long list row by row, without blocking the screen, so that a row that is too large costs no other row.
 * @returns null if the bytes are not a complete list
 */
function* parseRows(bytes: Uint8Array): Sliced<LimitedBody | null> {
  const omitted = new Set<string>()
  const body: unknown[] = []
  let total = 0
  for (let begin = afterBlanks(bytes, 0) + 1; ;) {
    const { end, weight } = yield* valueAt(bytes, begin)
    const isLast = bytes[end] === CLOSE
    if (!isLast && bytes[end] !== COMMA) return null
    const isEmpty = isLast && body.length === 0 && afterBlanks(bytes, begin) === end
    const isHeavy = weight > ANSWER_ROW_WEIGHT_MAX
    if (!isHeavy) total += weight
    if (!isEmpty && (body.length === ANSWER_ROWS_MAX || total > ANSWER_WEIGHT_MAX)) {
      omitted.add(`what comes after ${body.length} rows`)
      // The real number of rows is unknown. One more than `body` has shows that the list was cut.
      return { body, omitted: [...omitted], rows: body.length + 1 }
    }
    if (isHeavy) omitted.add('a row that is too large')
    const row = () => JSON.parse(textOf(bytes.subarray(begin, end))) as unknown
    if (!isEmpty) body.push(isHeavy ? null : yield* limited(row(), omitted, ROW_DEPTH))
    if (isLast)
      return afterBlanks(bytes, end + 1) < bytes.length ? null : { body, omitted: [...omitted], rows: null }
    begin = end + 1
    yield
  }
}

function* parseOne(bytes: Uint8Array): Sliced<LimitedBody> {
  const { weight } = yield* valueAt(bytes, 0)
  if (weight > ANSWER_WEIGHT_MAX)
    return { body: undefined, omitted: [`all of its ${bytes.length} bytes`], rows: null }
  const omitted = new Set<string>()
  const body = yield* limited(JSON.parse(textOf(bytes)), omitted)
  return { body, omitted: [...omitted], rows: null }
}

const CHARACTERS_PER_SLICE = 20_000
/** Bytes of a non-ASCII character. Nearly all long texts are Japanese. */
const WIDTH = 3
const ROW_DEPTH = 2
const codesOf = (characters: string) => new TextEncoder().encode(characters)
const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = codesOf('"\\,[]{}')
const BLANK: readonly (number | undefined)[] = [...codesOf(' \n\r\t')]

function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && BLANK.includes(bytes[at])) at += 1
  return at
}

/** Scans one value. @returns the position of the comma or bracket after the value, and the value's weight */
function* valueAt(bytes: Uint8Array, begin: number): Sliced<{ end: number; weight: number }> {
  let [depth, weight, textBegin] = [0, 0, -1]
  let at = begin
  for (let signs = 1; at < bytes.length; at += 1, signs += 1) {
    if (signs % CHARACTERS_PER_SLICE === 0) yield
    const code = bytes[at]
    if (textBegin >= 0) {
      if (code === BACKSLASH) at += 1
      if (code !== QUOTE) continue
      weight += Math.min(at - textBegin, ANSWER_TEXT_MAX * WIDTH)
      textBegin = -1
    } else if (code === QUOTE) textBegin = at
    else if (code === OPEN || code === OPEN_OBJECT) depth += 1
    else if (depth === 0 && (code === COMMA || code === CLOSE || code === CLOSE_OBJECT)) break
    else if (code === CLOSE || code === CLOSE_OBJECT) depth -= 1
    weight += 1
  }
  return { end: at, weight }
}

const VALUES_PER_SLICE = 10

/** Limits a value at this `depth` in slices, without recursion, because the stack is limited. */
function* limited(body: unknown, omitted: Set<string>, depth = 1): Sliced<unknown> {
  const pending: { value: object; at: number }[] = []
  const limit = (value: unknown, at: number): unknown => {
    if (typeof value === 'string') {
      const end = cutPosition(value)
      if (end === value.length) return value
      omitted.add(`${value.length - end} of a text's ${value.length} characters`)
      return value.slice(0, end) + ELLIPSIS
    }
    if (typeof value !== 'object' || value === null) return value
    if (at > ANSWER_DEPTH_MAX) {
      omitted.add(`what lies below ${ANSWER_DEPTH_MAX} levels`)
      return null
    }
    if (Array.isArray(value) && value.length > ANSWER_ROWS_MAX) {
      omitted.add(`what comes after ${ANSWER_ROWS_MAX} rows`)
      value.length = ANSWER_ROWS_MAX
    }
    pending.push({ value, at })
    return value
  }
  let seen = 0
  const root = limit(body, depth)
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, at } = next
    for (const [name, inner] of Object.entries(value)) {
      if (++seen % VALUES_PER_SLICE === 0) yield
      const within = limit(inner, at + 1)
      // An assignment to `__proto__` would set the prototype, but in JSON the name is ordinary.
      if (within !== inner)
        Object.defineProperty(value, name, { ...Object.getOwnPropertyDescriptor(value, name), value: within })
    }
  }
  return root
}

const ELLIPSIS = '…'

/** Letters, or punctuation, without a line break. ASCII letters count as breaks, so that long URLs are not cut. */
const RUNS = /([^\s\p{ASCII}\p{P}\p{S}]+)|[\p{P}\p{S}]+/gu

/** Returns the position at which a text is cut, or its length if it is within the limits. */
export function cutPosition(text: string): number {
  if (text.length <= ANSWER_SIGNS_MAX) return text.length
  const end = text.length > ANSWER_TEXT_MAX ? ANSWER_TEXT_MAX - ELLIPSIS.length : text.length
  for (const { 0: run, 1: letters, index } of text.slice(0, end).matchAll(RUNS)) {
    const runMax = letters === undefined ? ANSWER_SIGNS_MAX : ANSWER_LETTERS_MAX
    if (run.length > runMax) return outsideSurrogatePair(text, index + runMax)
  }
  return end === text.length ? end : outsideSurrogatePair(text, end)
}

/** Moves a cut that would split a surrogate pair to before the pair. */
const outsideSurrogatePair = (text: string, end: number) =>
  /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end

/** Reads the bytes of an answer, null if they are more than `maxBytes` (RULES PL11). @throws if the stream fails */
export async function readBody(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    size += chunk.value.byteLength
    if (size > maxBytes) {
      await reader?.cancel()
      return null
    }
    chunks.push(chunk.value)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
