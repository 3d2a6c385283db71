/** What is typed with a Japanese keyboard, or pasted, in the half-width characters that a field asks for. Pure. */
import { halfWidthAscii, HYPHENS, visibleLine, withPlainHyphens } from '#schemas/text.ts'

/** Every half-width kana and mark by its full-width one: ア → ｱ, 。→ ｡, and the combining ゛ → ﾞ. */
const HALF_KANA: ReadonlyMap<string, string> = new Map([
  ...Array.from({ length: 0xff9f - 0xff61 + 1 }, (_, at) => String.fromCharCode(0xff61 + at)).map(
    (half): [string, string] => [half.normalize('NFKC'), half],
  ),
  ['゛', 'ﾞ'],
  ['゜', 'ﾟ'],
])

/** Kana without a half-width form, by the ones that are read in the same way. */
const READ_AS: ReadonlyMap<string, string> = new Map(
  'ヵカ ヶケ ヮワ ヰイ ヱエ ㇰク ㇱシ ㇲス ㇳト ㇴヌ ㇵハ ㇶヒ ㇷフ ㇸヘ ㇹホ ㇺム ㇻラ ㇼリ ㇽル ㇾレ ㇿロ'
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(1)]),
)

const katakana = (hiragana: string) => String.fromCharCode(hiragana.charCodeAt(0) + 0x60)
const composed = (text: string) => text.normalize('NFKC')

/** いすゞ is read いすず, さゝき is read ささき. */
const iterated = (kana: string): string => {
  const [read = ''] = kana.normalize('NFKD')
  return kana.replaceAll('ヽ', read).replaceAll('ヾ', `${read}\u3099`.normalize('NFC'))
}

const LONG_VOWELS = new RegExp(`[${HYPHENS}]`, 'gu')

/** Kana in half width; a mark becomes a character of its own (ガ → ｶﾞ). What has no half-width form stays. */
export const toHalfKana = (text: string): string =>
  visibleLine(text)
    .normalize('NFC')
    .replaceAll(/[㋐-㋾㌀-㍗ゟヿ]/g, composed)
    .replaceAll(/[ぁ-ゖゝゞ]/g, katakana)
    .replaceAll(/[ァ-ヺｦ-ﾝ][ヽヾ]+/g, iterated)
    .replaceAll(LONG_VOWELS, 'ー')
    .replaceAll(/[ァ-ヿㇰ-ㇿ]/g, halfKana)
    .replaceAll(/[、-〿゙-゜]/g, halfKana)

/** One character with its mark apart; as it was where it has no half-width form. */
function halfKana(full: string): string {
  const parts = full
    .normalize('NFD')
    .split('')
    .map((part) => HALF_KANA.get(READ_AS.get(part) ?? part))
  return parts.includes(undefined) ? full : parts.join('')
}

/**
 * A number, an address or a code: letters, digits and signs in half width, a plain hyphen for every one that keyboards and
 * other programs give, nothing invisible. Kana stay as they are.
 */
export const toHalfAscii = (text: string): string => withPlainHyphens(halfWidthAscii(visibleLine(text)))
