/** Finds the number for a `tel:` link in a text. */
import { halfWidthAscii, visibleLine, withPlainHyphens } from '#schemas/text.ts'

const OTHER_DIGITS = /〒\s*\d{3}-?\d{4}|\d{1,2}\s*:\s*\d{2}/g
const FIRST = /[+]?\d+/g
/** Matches a label before a fax number, in NFKC. `F:` is such a label, but in `1F:` it names a floor. */
const FAX =
  /(?:(?:fax|ファックス|ファクス|ファクシミリ)(?:番号|専用)?|(?<![a-z\d])f(?=[.:]))[\s:.()【】[\]]*$/i
/** Matches a separator within a number and the next digits. Group 1 is a bare hyphen, group 2 the digits. */
const NEXT = /^(?:(-)|(?:[\s().]?-[\s().]?|[\s().]{1,2}))(\d+)/
/** Digits of a complete Japanese number. Only a bare hyphen can continue a number of this length. */
const COMPLETE = 10
const [DIGITS_MIN, DIGITS_MAX] = [9, 13]
const BOTH_PREFIXES = /^\+81(?=0)/

/**
 * The first number of 9 to 13 digits in a text: `管理人室 1F 03-1234-5678（内線 12）、090-…` → `0312345678`. Text after it is
 * not dialled, because it is an extension, another number or a word. A fax number is used only if there is no other
 * number.
 * @returns null if the text has no number
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

function numberAt(rest: string, first: string): { number: string; length: number } {
  let [number, length] = [first, 0]
  for (let next = NEXT.exec(rest); next; next = NEXT.exec(rest.slice(length))) {
    const [all, hyphen, digits = ''] = next
    // A phone number begins here. The digits before it may be a floor or an extension: 1F, 内線 12.
    const isAnother = digits.startsWith('0') && !/^[0+]/.test(number)
    if (hyphen === undefined && (number.length >= COMPLETE || isAnother)) break
    number += digits
    length += all.length
  }
  return { number, length }
}
