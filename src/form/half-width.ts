/** Converts typed or pasted Japanese text to the half-width characters that a field requires. */
import {
  halfWidthAscii,
  HYPHENS,
  visibleLine,
  withoutIterationMarks,
  withPlainHyphens,
} from '#schemas/text.ts'

/** Full-width kana and signs → half width: ア → ｱ, 。→ ｡, combining ゛ → ﾞ. */
const HALF_KANA: ReadonlyMap<string, string> = new Map([
  ...Array.from({ length: 0xff9f - 0xff61 + 1 }, (_, at) => String.fromCharCode(0xff61 + at)).map(
    (half): [string, string] => [half.normalize('NFKC'), half],
  ),
  ['゛', 'ﾞ'],
  ['゜', 'ﾟ'],
])

/** Kana without a half-width form → kana with the same reading. */
const READ_AS: ReadonlyMap<string, string> = new Map(
  'ヵカ ヶケ ヮワ ヰイ ヱエ ㇰク ㇱシ ㇲス ㇳト ㇴヌ ㇵハ ㇶヒ ㇷフ ㇸヘ ㇹホ ㇺム ㇻラ ㇼリ ㇽル ㇾレ ㇿロ'
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(1)]),
)

const katakana = (hiragana: string) => String.fromCharCode(hiragana.charCodeAt(0) + 0x60)
/** Enclosed kana, units and ligatures become plain kana: ㋐ → ア, ㌔ → キロ, ゟ → より. */
const composed = (text: string) => text.normalize('NFKC')

/** Hyphens that are typed in place of the long vowel sign ー. */
const LONG_VOWELS = new RegExp(`[${HYPHENS}]`, 'gu')

/** Converts kana to half width, where a voicing mark is a character of its own (ガ → ｶﾞ). Other characters stay. */
export const toHalfKana = (text: string): string =>
  withoutIterationMarks(
    visibleLine(text)
      .normalize('NFC')
      .replaceAll(/[㋐-㋾㌀-㍗ゟヿ]/g, composed)
      .replaceAll(/[ぁ-ゖゝゞ]/g, katakana),
  )
    .replaceAll(LONG_VOWELS, 'ー')
    .replaceAll(/[ァ-ヿㇰ-ㇿ]/g, halfKana)
    .replaceAll(/[、-〿゙-゜]/g, halfKana)

/** Converts one kana with its voicing mark. A kana without a half-width form stays. */
function halfKana(full: string): string {
  const parts = full
    .normalize('NFD')
    .split('')
    .map((part) => HALF_KANA.get(READ_AS.get(part) ?? part))
  return parts.includes(undefined) ? full : parts.join('')
}

/**
 * Converts a number, address or code: letters, digits and signs to half width, every hyphen to a plain hyphen.
 * Invisible characters are removed; kana stay.
 */
export const toHalfAscii = (text: string): string => withPlainHyphens(halfWidthAscii(visibleLine(text)))
