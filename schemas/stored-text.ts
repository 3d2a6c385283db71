/**
 * Decides whether a text from the CRM or file store is the text that was sent. Other systems change texts when they
 * store them:
 *
 *     another code page         〜 → ～, − → －, ‖ → ∥, ¥ → \
 *     another normal form       NFC, NFD, NFKC, NFKD
 *     HTML                      & → &amp;, line end → <br>, text → <p>text</p>
 *     escaping                  ' → \', line end → \n
 *     dropped characters        control characters, invisible characters, blanks at line ends
 *     unsupported characters    dropped, or replaced by ?, U+FFFD, 〓 or a common kanji (髙 → 高)
 *
 * The first five differences are removed from both texts before the comparison. An unsupported character may be
 * missing only if it is not in JIS X 0208, the set that old Japanese systems have.
 */
import { isSameContent } from './change-history.ts'
import { composed, plainKanji, withPlainHyphens, withPlainWaves } from '#schemas/text.ts'

/** True if `stored` may be what another system returns for `sent`. */
export function isStoredAs(sent: string, stored: string): boolean {
  if (sent === stored || isShownAs(sent, stored)) return true
  const plain = unescaped(decodedHtml(stored))
  return plain !== stored && isStoredAs(sent, plain)
}

function isShownAs(sent: string, stored: string): boolean {
  const shown = folded(stored)
  // A single-line field in another system drops the line ends.
  if (folded(sent) === shown || folded(sent.replaceAll('\n', '')) === shown) return true
  const tokens = tokensOf(sent, TEXT)
  return tokens.some(({ isReplaceable }) => isReplaceable) && matches(tokens, shown.replaceAll(' ', ''), TEXT)
}

/** Like `isStoredAs`, also for a text cut at its first four-byte character (MySQL's utf8) or at a maximum length. */
export function isNormalizedFrom(sent: string, stored: string): boolean {
  if (isStoredAs(sent, stored)) return true
  const cutAt = sent.search(FOUR_BYTES)
  if (cutAt > 0 && isStoredAs(sent.slice(0, cutAt), stored)) return true
  return stored.length >= CUT_LENGTH_MIN && folded(sent).startsWith(folded(stored))
}

const FOUR_BYTES = /[\u{10000}-\u{10FFFF}]/u
/** Minimum length of a truncated text. The smallest columns for long texts have 255 bytes, which is 85 kanji. */
const CUT_LENGTH_MIN = 80

/** Like `isStoredAs`, for a field's value of any type. */
export const isStoredContent = (sent: unknown, stored: unknown): boolean =>
  isSameContent(sent, stored) ||
  (typeof sent === 'string' && typeof stored === 'string' && isStoredAs(sent, stored))

/** Like `isStoredAs`, for a file name. File stores also replace or drop signs such as `#%&+`, and change the case. */
export const isStoredName = (sent: string, stored: string): boolean =>
  sent === stored ||
  [stored, decodedPercent(stored)].some((name) =>
    matches(tokensOf(sent.toLowerCase(), NAME), folded(name.toLowerCase()).replaceAll(' ', ''), NAME),
  )

/** A file name without anything that a file store may change. Names in a folder must differ in this form. */
export const coarseName = (name: string): string =>
  tokensOf(name.toLowerCase(), NAME)
    .map(({ text, isReplaceable }) => (isReplaceable ? '' : text))
    .join('')

/** What systems do with characters that they do not support. Texts and file names have different rules. */
interface Kind {
  /** Matches a sign that a system writes in place of a character. */
  substitute: RegExp
  /** True if a system may not support the character. */
  isReplaceable(character: string): boolean
  /** True if a system may also drop the character. Signs in texts are never dropped, because −5 must not match 5. */
  isDroppable(character: string): boolean
}

/** A character of the sent text, converted for the comparison. */
interface Token {
  text: string
  isReplaceable: boolean
  isDroppable: boolean
  /** The tokens of its compatibility form (㈱ → (株)) or of the common kanji of a variant (髙 → 高). */
  parts: readonly Token[]
}

const TEXT: Kind = {
  substitute: /[?\uFFFD〓□]/,
  isReplaceable: (character) => !isSupportedByAll(character),
  isDroppable: (character) => !/[\p{P}\p{Sm}\p{Sc}]/u.test(character),
}
const NAME: Kind = {
  substitute: /[?\uFFFD〓□_-]/,
  isReplaceable: (character) => /[^\p{L}\p{M}\p{N}]/u.test(character) || !isSupportedByAll(character),
  isDroppable: () => true,
}

/** Maximum substitutes for one character. Some systems write one for each byte. */
const SUBSTITUTES_MAX = 4

const matches = (tokens: readonly Token[], shown: string, kind: Kind): boolean =>
  endsAfter(tokens, new Set([0]), shown, kind).has(shown.length)

/** Matches the tokens from all positions in `begins` at once, without backtracking. @returns where a match may end */
function endsAfter(tokens: readonly Token[], begins: ReadonlySet<number>, shown: string, kind: Kind) {
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
  // Blanks are removed, because a system may replace an invisible character by a blank.
  text: foldedCharacter(character).replaceAll(' ', ''),
  isReplaceable: kind.isReplaceable(character),
  isDroppable: kind.isDroppable(character),
  parts: [],
})

/** The text without differences that storing may cause. */
const folded = (text: string): string => plainBlanks(charactersOf(text).map(foldedCharacter).join(''))

/** The characters of a text after HTML is decoded, the text is composed and its blanks are made plain. */
const charactersOf = (text: string): string[] => Array.from(plainBlanks(composed(decodedHtml(text))))

/** Signs that Japanese code pages exchange, and at the same index the similar sign. */
const CODE_PAGE_SIGNS = '‖¥·‘’“”«»¦'
const SIMILAR_SIGNS = `∥\\・''""≪≫|`
/** Characters that other systems drop: invisible and control characters, and Latin accents. */
const LOST = /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Surrogate}\p{Cc}\u0300-\u036F]/gu

const foldedCharacter = (character: string): string =>
  // The voicing mark of kana stays, because が must not match か.
  withPlainWaves(withPlainHyphens(character))
    .normalize('NFKD')
    .replaceAll(/[‖¥·‘’“”«»¦]/g, (sign) => SIMILAR_SIGNS.charAt(CODE_PAGE_SIGNS.indexOf(sign)))
    .replaceAll(LOST, '')

const plainBlanks = (text: string): string => text.replaceAll(/[\s\u0085]+/g, ' ').trim()

/** HTML entities: those of ISO 8859-1 in the order of their codes from U+00A0, and others in Japanese texts. */
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

/** Tags that systems put around lines when they store a text as HTML. */
const TAG = /<\/?(?:br|p|div|span)(?:\s[^<>]*)?\/?>/gi

/** Removes HTML tags and entities, also if the text was escaped several times. */
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

/** Decodes a name that was encoded for a URL (`%20`) or a form (`+`), also several times. */
function decodedPercent(name: string): string {
  try {
    const plain = decodeURIComponent(name.replaceAll('+', ' '))
    return plain === name ? plain : decodedPercent(plain)
  } catch {
    return name
  }
}

/** True for characters that all Japanese systems support: ASCII, kana and JIS X 0208 without `DISPUTED`. */
const isSupportedByAll = (character: string): boolean =>
  isInJis(character) && Array.from(character.normalize('NFKC')).every(isInJis)

const isInJis = (character: string): boolean =>
  character <= '\u007E' || /[\uFF61-\uFF9F\u3099\u309A]/.test(character) || jisX0208().has(character)

/** First bytes of the two-byte characters of JIS X 0208 in Shift_JIS. */
const LEAD_BYTES = [
  [0x81, 0x84],
  [0x88, 0x9f],
  [0xe0, 0xea],
] as const
/** Signs with different meanings in different code pages (〜 and ～), which a conversion can replace. */
const DISPUTED = '〜～‖∥−－¢￠£￡¬￢—―＼￣\uFFFD'

/** The characters of JIS X 0208, decoded once by the browser. */
const jisX0208 = (() => {
  let characters: ReadonlySet<string> | undefined
  return () => (characters ??= new Set(Array.from(decodedSigns()).filter((sign) => !DISPUTED.includes(sign))))
})()

function decodedSigns(): string {
  const bytes: number[] = []
  for (const [first, last] of LEAD_BYTES)
    for (let lead: number = first; lead <= last; lead += 1)
      for (let trail = 0x40; trail <= 0xfc; trail += 1) if (trail !== 0x7f) bytes.push(lead, trail)
  return new TextDecoder('shift_jis').decode(Uint8Array.from(bytes))
}
