/** Computes where to cut a text of a response (RULES PL11). Every text is checked, in only one scan. */
import { ANSWER_LETTERS_MAX, ANSWER_SIGNS_MAX, ANSWER_TEXT_MAX } from '#schemas/limits.ts'

/** Appended to a text that was cut. */
export const ELLIPSIS = '…'

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

/** Returns where to cut a text; its length if it is within the limits. */
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
