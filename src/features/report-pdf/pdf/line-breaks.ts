/** Where a text breaks into lines: Japanese anywhere but before what ends and after what opens, Latin between words. */

/** A number or a Latin word stays whole; anything else is a letter by itself. */
const PIECES = /[\p{Script=Latin}\p{Nd}@._\-/:+%]+|\s|[^]/gu
const NOT_FIRST =
  /^[、。，．・：；？！）」』】〉》］｝〜ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ,.:;?!)\]}%℃]/u
const NOT_LAST = /[（「『【〈《［｛([{]$/u

/** @param fits whether a text fits into one line */
export function linesOf(text: string, fits: (text: string) => boolean): string[] {
  return text
    .normalize('NFC')
    .split(/\r\n?|\n/)
    .flatMap((line) => wrapped(line, fits))
}

function wrapped(text: string, fits: (text: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of piecesOf(text, fits)) {
    if (line === '' || fits(line + piece)) {
      line += piece
      continue
    }
    lines.push(line.trimEnd())
    line = piece.trimStart()
  }
  return [...lines, line.trimEnd()]
}

/** What may not be parted, in order; what is wider than a line is parted all the same. */
function piecesOf(text: string, fits: (text: string) => boolean): string[] {
  const pieces: string[] = []
  for (const piece of text.match(PIECES) ?? []) {
    const last = pieces.at(-1)
    const isJoined = last !== undefined && (NOT_FIRST.test(piece) || NOT_LAST.test(last))
    if (isJoined && fits(last + piece)) pieces[pieces.length - 1] = last + piece
    else if (fits(piece)) pieces.push(piece)
    else pieces.push(...Array.from(piece))
  }
  return pieces
}
