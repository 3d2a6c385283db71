/**
 * Limits the depth, length and width of an answer (RULES PL11), because other code renders and stores it. A list of
 * pending values replaces recursion, because the stack is limited.
 */
import {
  ANSWER_DEPTH_MAX,
  ANSWER_LETTERS_MAX,
  ANSWER_ROWS_MAX,
  ANSWER_SIGNS_MAX,
  ANSWER_TEXT_MAX,
} from '#schemas/limits.ts'
import { atOnce, type Sliced } from '../lib/slices.ts'

export interface LimitedBody {
  body: unknown
  /** Descriptions of omitted values, for the error log. */
  omitted: string[]
  /** For a list that was cut, a number larger than the number of rows in `body`; otherwise null. */
  rows: number | null
  /** True if the whole answer is too large. `body` is then null. */
  isTooLarge?: true
}

/**
 * Omits the values of an answer that exceed the limits of this file.
 * @param body parsed JSON, which is changed in place
 */
export function limitedSize(body: unknown): LimitedBody {
  const omitted = new Set<string>()
  const rows = Array.isArray(body) && body.length > ANSWER_ROWS_MAX ? body.length : null
  return { body: atOnce(limitedSizeInSlices(body, omitted)), omitted: [...omitted], rows }
}

/**
 * Limits a value in slices.
 * @param omitted receives a description of each omitted value
 * @param depth nesting depth of the value in its answer
 */
export function* limitedSizeInSlices(body: unknown, omitted: Set<string>, depth = 1): Sliced<unknown> {
  const pending: { value: object; depth: number }[] = []
  const limitValue = (value: unknown, at: number): unknown => {
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
    pending.push({ value, depth: at })
    return value
  }
  const limitedBody = limitValue(body, depth)
  for (let next = pending.pop(); next; next = pending.pop()) yield* replaceEach(next, limitValue)
  return limitedBody
}

const VALUES_PER_SLICE = 50

function* replaceEach(
  { value, depth }: { value: object; depth: number },
  limitValue: (value: unknown, depth: number) => unknown,
): Sliced<void> {
  let seen = 0
  for (const [name, inner] of Object.entries(value)) {
    if (++seen % VALUES_PER_SLICE === 0) yield
    const limited = limitValue(inner, depth + 1)
    if (limited === inner) continue
    // An assignment to `__proto__` would set the prototype, but in JSON the name is ordinary.
    Object.defineProperty(value, name, {
      value: limited,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  }
  yield
}

/** Appended to shortened texts. */
const ELLIPSIS = '…'

const SIGN = /[\p{P}\p{S}]/u
const BREAKS = /[\s\p{ASCII}]/u

/** Kinds of characters, stored by character code; 0 means not yet determined. */
const [BREAK, LETTER, SIGNS] = [1, 2, 3]
const kinds = new Uint8Array(0x1_00_00)

/** ASCII letters count as breaks, so that long tokens and URLs are not cut. */
function kindOf(code: number): number {
  const knownKind = kinds[code]
  if (knownKind) return knownKind
  const character = String.fromCodePoint(code)
  const kind = SIGN.test(character) ? SIGNS : BREAKS.test(character) ? BREAK : LETTER
  kinds[code] = kind
  return kind
}

/**
 * Returns the position at which a text is cut, or its length if it is within the limits. One scan checks all limits.
 */
export function cutPosition(text: string): number {
  if (text.length <= ANSWER_SIGNS_MAX) return text.length
  const end = text.length > ANSWER_TEXT_MAX ? ANSWER_TEXT_MAX - ELLIPSIS.length : text.length
  let [run, begin] = [BREAK, 0]
  for (let at = 0; at < end;) {
    const code = text.codePointAt(at) ?? 0
    const kind = kindOf(code)
    if (kind !== run) [run, begin] = [kind, at]
    at += code > 0xff_ff ? 2 : 1
    const runMax = run === LETTER ? ANSWER_LETTERS_MAX : ANSWER_SIGNS_MAX
    if (run !== BREAK && at - begin > runMax) return outsideSurrogatePair(text, begin + runMax)
  }
  return end === text.length ? end : outsideSurrogatePair(text, end)
}

/** Moves a cut that would split a surrogate pair to before the pair. */
const outsideSurrogatePair = (text: string, end: number) =>
  /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end
