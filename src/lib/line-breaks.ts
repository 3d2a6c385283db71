/** Breaks a text into lines: Japanese anywhere but beside brackets and before marks, Latin between words. */

const UNITS = /[\p{Script=Latin}\p{Nd}@._\-/:+%]+|[^]\p{M}*/gu
const CHARACTERS = /[^]\p{M}*/gu
const NOT_FIRST =
  /^[、。，．・：；？！）」』】〉》］｝〜ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ,.:;?!)\]}%℃]/u
const NOT_LAST = /[（「『【〈《［｛([{]$/u

/** @param fits true if a text fits into one line */
export const linesOf = (text: string, fits: (text: string) => boolean): string[] =>
  text.split('\n').flatMap((line) => wrapped(line, fits))

function wrapped(text: string, fits: (text: string) => boolean): string[] {
  const lines: string[] = []
  let line: string[] = []
  const words = text.match(UNITS) ?? []
  for (const unit of words.flatMap((word) => (fits(word) ? [word] : (word.match(CHARACTERS) ?? [])))) {
    if (!fits([...line, unit].join('')) && line.length > 0) {
      const end = lineEnd(line, unit)
      lines.push(line.slice(0, end).join('').trimEnd())
      line = line.slice(end)
      // The units after the break begin the new line. If `unit` does not fit behind these, `unit` begins another line.
      if (!fits([...line, unit].join(''))) lines.push(line.splice(0).join('').trimEnd())
    }
    if (line.length > 0 || unit.trim() !== '') line.push(unit)
  }
  return [...lines, line.join('').trimEnd()].filter((each, index) => each !== '' || index === 0)
}

/** Returns how many units of a full line stay on it: up to the last allowed break, or all. @param next unit after it */
function lineEnd(line: readonly string[], next: string): number {
  const isBreak = (at: number) => !NOT_FIRST.test(line[at] ?? next) && !NOT_LAST.test(line[at - 1] ?? '')
  for (let at = line.length; at > 0; at -= 1) if (isBreak(at)) return at
  return line.length
}
