/**
 * The beginning of a list that is far too long, as JSON of its own (RULES PL11): parsing a hundred thousand rows to throw
 * nearly all of them away would hold up the screen.
 */

/** Characters; below this all of it is parsed. */
const LONG = 1_000_000

const [QUOTE, BACKSLASH] = ['"', '\\'].map((sign) => sign.charCodeAt(0))

/**
 * @param text of an answer
 * @param most rows
 * @param long characters of a text that is worth it
 * @returns a list of no more than so many rows; what is no list, has no more of them or is short as it is. What comes after
 *   the last row taken is not looked at
 */
export function firstRows(text: string, most: number, long = LONG): string {
  if (text.length < long || !/^\s*\[/.test(text)) return text
  let [depth, rows] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '"') at = endOfText(text, at)
    else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth -= 1
    else if (sign === ',' && depth === 1 && ++rows === most) return `${text.slice(0, at)}]`
  }
  return text
}

/** Where the text that begins here ends: at the next quote that is not escaped. */
function endOfText(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) return at
  }
  return text.length
}
