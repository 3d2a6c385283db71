/** Extracts the number for a `tel:` link. */
import { halfWidthAscii, visibleLine, withPlainHyphens } from '#schemas/text.ts'

/** Digits that are not a phone number: postal codes and times of day. */
const OTHER_DIGITS = /〒\s*\d{3}-?\d{4}|\d{1,2}\s*:\s*\d{2}/g

/** The beginning of a number. */
const FIRST = /[+]?\d+/g
/** A label before a fax number, after NFKC. `F:` is such a label; `1F:` is a floor. */
const FAX =
  /(?:(?:fax|ファックス|ファクス|ファクシミリ)(?:番号|専用)?|(?<![a-z\d])f(?=[.:]))[\s:.()【】[\]]*$/i
/** Separators inside a number: a hyphen (group 1); a hyphen with spaces or brackets; spaces, dots and brackets. */
const NEXT = /^(?:(-)|(?:[\s().]?-[\s().]?|[\s().]{1,2}))(\d+)/
/** Length of a complete Japanese number. After it only a hyphen continues the number. */
const COMPLETE = 10
const [DIGITS_MIN, DIGITS_MAX] = [9, 13]
/** In `+81-(0)3-…` the 0 is only dialled without the country code. */
const BOTH_PREFIXES = /^\+81(?=0)/

/**
 * Returns the first number of 9 to 13 digits in a text: `管理人室 1F 03-1234-5678（内線 12）、090-…` → `0312345678`. What
 * follows is an extension, another number or a word; dialling it too would reach somebody else. A fax number is returned
 * only if there is no other (TEL/FAX).
 * @returns null if there is none
 */
export function dialled(text: string): string | null {
  const plain = withPlainHyphens(halfWidthAscii(visibleLine(text))).replaceAll(OTHER_DIGITS, '、')
  let end = 0
  let fax: string | null = null
  for (const { 0: first, index } of plain.matchAll(FIRST)) {
    if (index < end) continue
    const found = numberAt(plain.slice(index + first.length), first)
    const number = found.number.replace(BOTH_PREFIXES, '')
    const digits = number.replace('+', '').length
    if (digits >= DIGITS_MIN && digits <= DIGITS_MAX) {
      if (!FAX.test(plain.slice(0, index).normalize('NFKC'))) return number
      fax ??= number
    }
    end = index + first.length + found.length
  }
  return fax
}

/** Returns the number that starts with these digits, and the length of the text it uses. */
function numberAt(rest: string, first: string): { number: string; length: number } {
  let [number, length] = [first, 0]
  for (let next = NEXT.exec(rest); next; next = NEXT.exec(rest.slice(length))) {
    const [all, hyphen, digits = ''] = next
    // A floor or an extension precedes the number: 1F, 内線 12.
    const isAnother = digits.startsWith('0') && !/^[0+]/.test(number)
    if (hyphen === undefined && (number.length >= COMPLETE || isAnother)) break
    number += digits
    length += all.length
  }
  return { number, length }
}
