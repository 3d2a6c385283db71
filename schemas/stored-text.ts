/**
 * Decides whether a text that another system shows is the one that was sent to it. It may have stored another form:
 *
 *     of another code page       〜 → ～, − → －, ‖ → ∥, ¥ → \
 *     of another normal form     NFC, NFD, NFKC, NFKD
 *     of HTML                    & → &amp;, a line end → <br>, a text → <p>text</p>
 *     escaped                    ' → \', a line end → \n
 *     without what it drops      control characters, invisible ones, blanks at the ends of lines, how lines end
 *     without what it cannot hold, or with ?, U+FFFD, 〓, a plain kanji (髙 → 高) in its place
 *
 * All but the last are folded on both sides. The last is allowed only for what an old Japanese character set (JIS X 0208)
 * does not have: two texts that differ in anything else stay two.
 */
import { isSameContent } from './change-history.ts'
import { composed, plainKanji, withPlainHyphens, withPlainWaves } from '#schemas/text.ts'

/** True if the store may show `stored` for what was sent. */
export function isStoredAs(sent: string, stored: string): boolean {
  if (sent === stored || isShownAs(sent, stored)) return true
  const plain = unescaped(decodedHtml(stored))
  return plain !== stored && isStoredAs(sent, plain)
}

function isShownAs(sent: string, stored: string): boolean {
  const shown = folded(stored)
  // a field of one line drops line ends
  if (folded(sent) === shown || folded(sent.replaceAll('\n', '')) === shown) return true
  const tokens = tokensOf(sent, TEXT)
  return tokens.some(({ isReplaceable }) => isReplaceable) && matches(tokens, shown.replaceAll(' ', ''), TEXT)
}

/**
 * True if a record that shows `stored` may have been created with `sent`: a store may also have cut the text, at its
 * first character of four bytes (MySQL's utf8) or at its own maximum length.
 */
export function isNormalizedFrom(sent: string, stored: string): boolean {
  const cutAt = sent.search(FOUR_BYTES)
  return (
    isStoredAs(sent, stored) ||
    (cutAt > 0 && isStoredAs(sent.slice(0, cutAt), stored)) ||
    (stored.length >= CUT_LENGTH_MIN && folded(sent).startsWith(folded(stored)))
  )
}

const FOUR_BYTES = /[\u{10000}-\u{10FFFF}]/u
/** 255 bytes of kanji: no store has a shorter column for texts of many lines. */
const CUT_LENGTH_MIN = 80

/** `isStoredAs` for any value of a field. */
export const isStoredContent = (sent: unknown, stored: unknown): boolean =>
  isSameContent(sent, stored) ||
  (typeof sent === 'string' && typeof stored === 'string' && isStoredAs(sent, stored))

/** `isStoredAs` for the name of a file, of which stores also replace or drop signs (`#%&+` and others), and fold its case. */
export const isStoredName = (sent: string, stored: string): boolean =>
  sent === stored ||
  [stored, decodedPercent(stored)].some((name) =>
    matches(tokensOf(sent.toLowerCase(), NAME), folded(name.toLowerCase()).replaceAll(' ', ''), NAME),
  )

/** The name in its coarsest stored form. Names of files in one folder differ in this form. */
export const coarseName = (name: string): string =>
  tokensOf(name.toLowerCase(), NAME)
    .map(({ text, isReplaceable }) => (isReplaceable ? '' : text))
    .join('')

interface Kind {
  /** What a store writes for a character that it cannot hold. */
  substitute: RegExp
  /** True if a store may not hold the character. */
  isReplaceable(character: string): boolean
  /** True if such a store may also drop it: never a sign, for −5 is not 5. */
  isDroppable(character: string): boolean
}

interface Token {
  text: string
  isReplaceable: boolean
  isDroppable: boolean
  /** What else may be in its place: its normal form, each part of which may be replaced, or its plain kanji. */
  parts: readonly Token[]
}

const TEXT: Kind = {
  substitute: /[?\uFFFD〓□]/,
  isReplaceable: (character) => !isHeldByAll(character),
  isDroppable: (character) => !/[\p{P}\p{Sm}\p{Sc}]/u.test(character),
}
const NAME: Kind = {
  substitute: /[?\uFFFD〓□_-]/,
  isReplaceable: (character) => /[^\p{L}\p{M}\p{N}]/u.test(character) || !isHeldByAll(character),
  isDroppable: () => true,
}

/** A character of four bytes that becomes four substitutes is the most there is. */
const SUBSTITUTES_MAX = 4

const matches = (tokens: readonly Token[], shown: string, kind: Kind): boolean =>
  endsAfter(tokens, new Set([0]), shown, kind).has(shown.length)

/** All positions in `shown` where the tokens may end that begin at one of `begins`: no backtracking. */
function endsAfter(
  tokens: readonly Token[],
  begins: ReadonlySet<number>,
  shown: string,
  kind: Kind,
): ReadonlySet<number> {
  let ends = begins
  for (const { text, isReplaceable, isDroppable, parts } of tokens) {
    const next = new Set(parts.length > 0 ? endsAfter(parts, ends, shown, kind) : [])
    for (const end of ends) {
      if (shown.startsWith(text, end)) next.add(end + text.length)
      if (!isReplaceable) continue
      if (isDroppable) next.add(end)
      for (let n = 0; n < SUBSTITUTES_MAX && kind.substitute.test(shown.charAt(end + n)); n += 1)
        next.add(end + n + 1)
    }
    ends = next
  }
  return ends
}

const tokensOf = (text: string, kind: Kind): Token[] =>
  charactersOf(text).map((character) => {
    const token = tokenOf(character, kind)
    const parts = Array.from((token.isReplaceable ? plainKanji(character) : character).normalize('NFKD'))
    const isOther = parts.length > 1 || parts[0] !== character
    return isOther ? { ...token, parts: parts.map((part) => tokenOf(part, kind)) } : token
  })

const tokenOf = (character: string, kind: Kind): Token => ({
  // beside a substitute a blank says nothing: what is invisible may have been one
  text: foldedCharacter(character).replaceAll(' ', ''),
  isReplaceable: kind.isReplaceable(character),
  isDroppable: kind.isDroppable(character),
  parts: [],
})

const folded = (text: string): string => plainBlanks(charactersOf(text).map(foldedCharacter).join(''))

/** Composed, without HTML, its blanks plain. */
const charactersOf = (text: string): string[] => Array.from(plainBlanks(composed(decodedHtml(text))))

const SAME_IN_CODE_PAGES: Readonly<Record<string, string>> = {
  '‖': '∥',
  '¥': '\\',
  '·': '・',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '«': '≪',
  '»': '≫',
  '¦': '|',
}
const LOST = /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Surrogate}\p{Cc}\u0300-\u036F]/gu

const foldedCharacter = (character: string): string =>
  // an accent may be dropped with the rest, the mark of a kana (が) never
  withPlainWaves(withPlainHyphens(character))
    .normalize('NFKD')
    .replaceAll(/[‖¥·‘’“”«»¦]/g, (sign) => SAME_IN_CODE_PAGES[sign] ?? sign)
    .replaceAll(LOST, '')

const plainBlanks = (text: string): string => text.replaceAll(/[\s\u0085]+/g, ' ').trim()

/** What HTML names: the signs of ISO 8859-1 from U+00A0 on, and what else Japanese texts have, with its code. */
const LATIN_NAMES =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest'
const OTHER_NAMES =
  'quot:22 amp:26 apos:27 lt:3c gt:3e times:d7 divide:f7 eacute:e9 ndash:2013 mdash:2014 lsquo:2018 rsquo:2019 ldquo:201c rdquo:201d dagger:2020 bull:2022 hellip:2026 permil:2030 prime:2032 Prime:2033 oline:203e euro:20ac trade:2122 ' +
  'larr:2190 uarr:2191 rarr:2192 darr:2193 harr:2194 rArr:21d2 sum:2211 minus:2212 radic:221a infin:221e ang:2220 there4:2234 sim:223c asymp:2248 ne:2260 equiv:2261 le:2264 ge:2265 perp:22a5 ' +
  'Delta:394 Sigma:3a3 Phi:3a6 Omega:3a9 alpha:3b1 beta:3b2 gamma:3b3 delta:3b4 theta:3b8 lambda:3bb mu:3bc pi:3c0 sigma:3c3 phi:3c6 omega:3c9'
const NAMED: ReadonlyMap<string, number> = new Map([
  ...LATIN_NAMES.split(' ').map((name, at): [string, number] => [name, 0xa0 + at]),
  ...OTHER_NAMES.split(' ').map((pair): [string, number] => {
    const [name = '', code = ''] = pair.split(':')
    return [name, parseInt(code, 16)]
  }),
])

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+\d*));/gi

/** Tags around the lines of a text that is stored as HTML. */
const TAG = /<\/?(?:br|p|div|span)(?:\s[^<>]*)?\/?>/gi

/** Without HTML, however often it was escaped. */
function decodedHtml(text: string): string {
  const plain = text
    .replaceAll(TAG, '\n')
    .replaceAll(ENTITY, (entity, decimal?: string, hex?: string, name = '') => {
      const code = decimal ? Number(decimal) : hex ? parseInt(hex, 16) : NAMED.get(name)
      return code === undefined ? entity : (characterOf(code) ?? entity)
    })
  return plain === text ? plain : decodedHtml(plain)
}

/** Removes one level of escaping by backslashes. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:u([\da-f]{4})|([nrt"'\\/]))/gi, (_, hex?: string, character = '') =>
    hex ? String.fromCharCode(parseInt(hex, 16)) : (ESCAPED[character] ?? character),
  )

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: ' ' }

const characterOf = (code: number): string | undefined =>
  code <= 0x10ffff ? String.fromCodePoint(code) : undefined

/** Decodes the name of an address (`%20`) or of a form (`+`), however often it was encoded. */
function decodedPercent(name: string): string {
  try {
    const plain = decodeURIComponent(name.replaceAll('+', ' '))
    return plain === name ? plain : decodedPercent(plain)
  } catch {
    return name
  }
}

/** True for ASCII, kana, and what JIS X 0208 has, but for signs that code pages map to different characters. */
const isHeldByAll = (character: string): boolean =>
  isInJis(character) && Array.from(character.normalize('NFKC')).every(isInJis)

const isInJis = (character: string): boolean =>
  character <= '\u007E' || /[\uFF61-\uFF9F\u3099\u309A]/.test(character) || jisX0208().has(character)

const LEAD_BYTES = [
  [0x81, 0x84],
  [0x88, 0x9f],
  [0xe0, 0xea],
] as const
const DISPUTED = '〜～‖∥−－¢￠£￡¬￢—―＼￣\uFFFD'

/** As the platform's own decoder has it; made once, when a substitute is met first. */
const jisX0208 = (() => {
  let held: ReadonlySet<string> | undefined
  return () => (held ??= new Set(Array.from(decodedSigns()).filter((sign) => !DISPUTED.includes(sign))))
})()

function decodedSigns(): string {
  const bytes: number[] = []
  for (const [first, last] of LEAD_BYTES)
    for (let lead: number = first; lead <= last; lead += 1)
      for (let trail = 0x40; trail <= 0xfc; trail += 1) if (trail !== 0x7f) bytes.push(lead, trail)
  return new TextDecoder('shift_jis').decode(Uint8Array.from(bytes))
}
