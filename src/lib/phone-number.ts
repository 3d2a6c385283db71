/** What a `tel:` link calls. */
import { halfWidthAscii, visibleLine, withPlainHyphens } from '#schemas/text.ts'

/** What has digits and is no number: a postal code, a time of day. */
const OTHER_DIGITS = /〒\s*\d{3}-?\d{4}|\d{1,2}\s*:\s*\d{2}/g

const FIRST = /[+]?\d+/g
/** Between the parts of one number: a hyphen; one with spaces or a bracket; else spaces, dots and brackets. */
const NEXT = /^(?:(-)|(?:[\s().]?-[\s().]?|[\s().]{1,2}))(\d+)/
/** A whole Japanese number: after it only a hyphen goes on. */
const WHOLE = 10
const [DIGITS_MIN, DIGITS_MAX] = [9, 13]
/** `+81-(0)3-…`: the 0 is dialled where the country's code is not. */
const BOTH_PREFIXES = /^\+81(?=0)/

/**
 * The first number of 9 to 13 digits of a text: `管理人室 1F 03-1234-5678（内線 12）、090-…` → `0312345678`. What follows it is
 * an extension, another number or a word, and dialled with it would reach somebody else.
 * @returns null where there is none
 */
export function dialled(text: string): string | null {
  const plain = withPlainHyphens(halfWidthAscii(visibleLine(text))).replaceAll(OTHER_DIGITS, '、')
  let end = 0
  for (const { 0: first, index } of plain.matchAll(FIRST)) {
    if (index < end) continue
    const found = numberAt(plain.slice(index + first.length), first)
    const number = found.number.replace(BOTH_PREFIXES, '')
    const digits = number.replace('+', '').length
    if (digits >= DIGITS_MIN && digits <= DIGITS_MAX) return number
    end = index + first.length + found.length
  }
  return null
}

/** The number that begins with these digits, and how much of the rest belongs to it. */
function numberAt(rest: string, first: string): { number: string; length: number } {
  let [number, length] = [first, 0]
  for (let next = NEXT.exec(rest); next; next = NEXT.exec(rest.slice(length))) {
    const [all, hyphen, digits = ''] = next
    // a floor or an extension before the number: 1F, 内線 12
    const isAnother = digits.startsWith('0') && !/^[0+]/.test(number)
    if (hyphen === undefined && (number.length >= WHOLE || isAnother)) break
    number += digits
    length += all.length
  }
  return { number, length }
}
