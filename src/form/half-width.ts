/** What is typed with a Japanese keyboard, in the half-width characters that a field asks for. Pure. */
import { DASHES } from '#lib/phone-number.ts'

/** Every half-width kana and mark by its full-width one: ア → ｱ, 。→ ｡, and the combining ゛ → ﾞ. */
const HALF_KANA: ReadonlyMap<string, string> = new Map([
  ...Array.from({ length: 0xff9f - 0xff61 + 1 }, (_, at) => String.fromCharCode(0xff61 + at)).map(
    (half): [string, string] => [half.normalize('NFKC'), half],
  ),
  ['゛', 'ﾞ'],
  ['゜', 'ﾟ'],
])

const katakana = (hiragana: string) => String.fromCharCode(hiragana.charCodeAt(0) + 0x60)

/** Kana in half width; a mark becomes a character of its own (ガ → ｶﾞ). What has no half-width form stays. */
export const toHalfKana = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[ぁ-ゖゝゞ]/g, katakana)
    .replaceAll(/[ァ-ヿ]/g, halfKana)
    .replaceAll(/[、-〿゙-゜]/g, halfKana)
    .replaceAll('\u3000', ' ')
    .trim()

/** One character with its mark apart; as it was where it has no half-width form (ヰ). */
function halfKana(full: string): string {
  const parts = full
    .normalize('NFD')
    .split('')
    .map((part) => HALF_KANA.get(part))
  return parts.includes(undefined) ? full : parts.join('')
}

/** Letters, digits and signs in half width; kana stay as they are. */
export const toHalfAscii = (text: string): string =>
  text
    .replaceAll(/[！-～]/g, (full) => String.fromCharCode(full.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
    .trim()

const DASH = new RegExp(`[${DASHES}]`, 'g')

/** A phone number: digits in half width, and every dash that a keyboard gives for the hyphen. */
export const toHalfPhone = (text: string): string => toHalfAscii(text).replaceAll(DASH, '-')
