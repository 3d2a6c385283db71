/**
 * Limits the depth, length and width of a response (RULES PL11), because later code recurses over it, renders
 * and stores it. This code uses a list of pending values instead of recursion, because the stack is limited.
 */
import {
  ANSWER_DEPTH_MAX,
  ANSWER_LETTERS_MAX,
  ANSWER_ROWS_MAX,
  ANSWER_SIGNS_MAX,
  ANSWER_TEXT_MAX,
} from '#schemas/limits.ts'
import { atOnce, type Sliced } from '../lib/slices.ts'

/** A response within the limits. */
export interface LimitedBody {
  body: unknown
  /** Descriptions of what was cut, for the error log. */
  omitted: string[]
  /** If a list was cut: a number of its rows that is larger than the number in `body`; else null. */
  rows: number | null
  /** True if the whole response is too large, and `body` is null. */
  isTooLarge?: true
}

/**
 * Limits a parsed response.
 * @param body parsed JSON, changed in place
 */
export function limitedSize(body: unknown): LimitedBody {
  const omitted = new Set<string>()
  const rows = Array.isArray(body) && body.length > ANSWER_ROWS_MAX ? body.length : null
  return { body: atOnce(limitedSizeInSlices(body, omitted)), omitted: [...omitted], rows }
}

/**
 * Limits a value in slices.
 * @param omitted receives a description of each part that was cut
 * @param depth nesting depth of the value in its response
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

/** Values per slice of work. */
const AT_ONCE = 50

function* replaceEach(
  { value, depth }: { value: object; depth: number },
  limitValue: (value: unknown, depth: number) => unknown,
): Sliced<void> {
  let seen = 0
  for (const [name, inner] of Object.entries(value)) {
    if (++seen % AT_ONCE === 0) yield
    const limited = limitValue(inner, depth + 1)
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

/** Appended to a text that was cut. */
const ELLIPSIS = '…'

const SIGN = /[\p{P}\p{S}]/u
const BREAKS = /[\s\p{ASCII}]/u

/** Kinds of characters by code; 0 if not known yet. */
const [BREAK, LETTER, SIGNS] = [1, 2, 3]
const kinds = new Uint8Array(0x1_00_00)

/** ASCII letters count as breaks, not as letters: a token or URL is a long run of them. */
function kindOf(code: number): number {
  const knownKind = kinds[code]
  if (knownKind) return knownKind
  const character = String.fromCodePoint(code)
  const kind = SIGN.test(character) ? SIGNS : BREAKS.test(character) ? BREAK : LETTER
  kinds[code] = kind
  return kind
}

/**
 * Returns where to cut a text; its length if it is within the limits. Every text is checked, in only one scan.
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
