/** What a `tel:` link calls. */

/** What keyboards, spreadsheets and word processors write for the hyphen of a number, `－` among them. */
export const DASHES = '\\u2010-\\u2015\\u2212\\u30FC\\uFF0D\\uFF70-'

const FIRST = /[+＋]?[\d０-９]+/
/** Between the parts of one number: a hyphen; one with spaces; else one space or bracket. */
const NEXT = new RegExp(`^(?:([${DASHES}])|\\s?[${DASHES}]\\s?|[\\s().（）]{1,2})([\\d０-９]+)`)
/** A whole Japanese number: after it only a hyphen goes on. */
const WHOLE = 10

/**
 * The first number of a text: `03-1234-5678（内線 12）、090-…` → `0312345678`. What follows it is an extension, another number
 * or a word, and dialled with it would reach somebody else.
 * @returns null where there is none
 */
export function dialled(text: string): string | null {
  const first = FIRST.exec(text)
  if (!first) return null
  let [number] = first
  let rest = text.slice(first.index + number.length)
  for (let next = NEXT.exec(rest); next; next = NEXT.exec(rest)) {
    const [all, hyphen, digits] = next
    if (hyphen === undefined && number.length >= WHOLE) break
    number += digits
    rest = rest.slice(all.length)
  }
  return number.normalize('NFKC')
}
