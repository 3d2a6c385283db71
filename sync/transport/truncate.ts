/** Where a text of an answer is cut (RULES PL11): each one passes here, so it is looked at letter by letter, once. */
import { ANSWER_LETTERS_MAX, ANSWER_SIGNS_MAX, ANSWER_TEXT_MAX } from '#schemas/limits.ts'

/** What was cut ends so. */
export const CUT = '…'

const SIGN = /[\p{P}\p{S}]/u
const BREAKS = /[\s\p{ASCII}]/u

/** Kinds of characters; what was not met yet is 0. */
const [BREAK, LETTER, SIGNS] = [1, 2, 3]
const kinds = new Uint8Array(0x1_00_00)

/** Letters that are no ASCII: a token or an address may have any number of those. */
function kindOf(code: number): number {
  const known = kinds[code]
  if (known) return known
  const character = String.fromCodePoint(code)
  const kind = SIGN.test(character) ? SIGNS : BREAKS.test(character) ? BREAK : LETTER
  kinds[code] = kind
  return kind
}

/** Where a text is cut; its length where it is like any other. */
export function endOf(text: string): number {
  if (text.length <= ANSWER_SIGNS_MAX) return text.length
  const end = text.length > ANSWER_TEXT_MAX ? ANSWER_TEXT_MAX - CUT.length : text.length
  let [run, begin] = [BREAK, 0]
  for (let at = 0; at < end;) {
    const code = text.codePointAt(at) ?? 0
    const kind = kindOf(code)
    if (kind !== run) [run, begin] = [kind, at]
    at += code > 0xff_ff ? 2 : 1
    const most = run === LETTER ? ANSWER_LETTERS_MAX : ANSWER_SIGNS_MAX
    if (run !== BREAK && at - begin > most) return whole(text, begin + most)
  }
  return end === text.length ? end : whole(text, end)
}

/** Not between the halves of one character. */
const whole = (text: string, end: number) => (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end)
