/**
 * Whether a text that another system shows is the one that was sent to it. It may have stored it in another spelling:
 *
 *     of another code page       〜 → ～, − → －, ‖ → ∥, ¥ → \
 *     of another normal form     NFC, NFD, NFKC, NFKD
 *     of HTML                    & → &amp;, a line end → <br>
 *     without what it drops      control characters, invisible ones, blanks at the ends of lines, how lines end
 *     with a substitute          ?, U+FFFD or 〓 for what it cannot hold
 *
 * All but the last are folded on both sides. A substitute matches only what an old Japanese character set (JIS X 0208) does
 * not have: two texts that differ in anything else stay two.
 */
import { isSameContent } from './change-history.ts'
import { composed, withPlainHyphens, withPlainWaves } from './text.ts'

/** True if the store may show `stored` for what was sent. */
export const isStoredAs = (sent: string, stored: string): boolean => {
  if (sent === stored) return true
  const shown = folded(stored)
  return (
    folded(sent) === shown ||
    (SUBSTITUTE.test(shown) && matches(tokensOf(sent, TEXT), shown.replaceAll(' ', ''), TEXT))
  )
}

/** The same for any value of a field. */
export const isStoredContent = (sent: unknown, stored: unknown): boolean =>
  isSameContent(sent, stored) ||
  (typeof sent === 'string' && typeof stored === 'string' && isStoredAs(sent, stored))

/** The same for the name of a file, of which stores also replace or drop signs (`#%&+` and others), and fold its case. */
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
  /** True if it may also drop it. */
  drops: boolean
}

interface Token {
  text: string
  isReplaceable: boolean
  /** What a normal form makes of it, where that is several: an accent may have a substitute of its own. */
  parts: readonly Token[]
}

const SUBSTITUTE = /[?\uFFFD〓□]/
const TEXT: Kind = {
  substitute: SUBSTITUTE,
  isReplaceable: (character) => !isHeldByAll(character),
  drops: false,
}
const NAME: Kind = {
  substitute: /[?\uFFFD〓□_-]/,
  isReplaceable: (character) => /[^\p{L}\p{M}\p{N}.,]/u.test(character) || !isHeldByAll(character),
  drops: true,
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
  for (const { text, isReplaceable, parts } of tokens) {
    const next = new Set(parts.length > 0 ? endsAfter(parts, ends, shown, kind) : [])
    for (const end of ends) {
      if (shown.startsWith(text, end)) next.add(end + text.length)
      if (!isReplaceable) continue
      if (kind.drops) next.add(end)
      for (let n = 0; n < SUBSTITUTES_MAX && kind.substitute.test(shown.charAt(end + n)); n += 1)
        next.add(end + n + 1)
    }
    ends = next
  }
  return ends
}

const tokensOf = (text: string, kind: Kind): Token[] =>
  charactersOf(text).map((character) => {
    const parts = Array.from(character.normalize('NFKD'))
    const token = tokenOf(character, kind)
    return parts.length > 1 ? { ...token, parts: parts.map((part) => tokenOf(part, kind)) } : token
  })

const tokenOf = (character: string, { isReplaceable }: Kind): Token => ({
  // beside a substitute a blank says nothing: what is invisible may have been one
  text: foldedCharacter(character).replaceAll(' ', ''),
  isReplaceable: isReplaceable(character),
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
}
const LOST = /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Surrogate}\p{Cc}\u0300-\u036F]/gu

const foldedCharacter = (character: string): string =>
  // an accent may be dropped with the rest, the mark of a kana (が) never
  withPlainWaves(withPlainHyphens(character).normalize('NFKD'))
    .replaceAll(/[‖¥·‘’“”]/g, (sign) => SAME_IN_CODE_PAGES[sign] ?? sign)
    .replaceAll(LOST, '')

const plainBlanks = (text: string): string => text.replaceAll(/[\s\u0085]+/g, ' ').trim()

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}
/** The signs of ISO 8859-1 from U+00A1 on, as HTML names them. */
const LATIN_SIGNS =
  'iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest'.split(
    ' ',
  )

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+\d*));/gi

/** Without HTML, however often it was escaped. */
function decodedHtml(text: string): string {
  const plain = text
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(ENTITY, (entity, decimal?: string, hex?: string, name = '') => {
      if (decimal ?? hex) return characterOf(decimal ? Number(decimal) : parseInt(hex ?? '', 16)) ?? entity
      const sign = LATIN_SIGNS.indexOf(name)
      return (
        ENTITIES[name.toLowerCase()] ?? (sign < 0 ? LATIN_MORE[name] : characterOf(0xa1 + sign)) ?? entity
      )
    })
  return plain === text ? plain : decodedHtml(plain)
}

const LATIN_MORE: Readonly<Record<string, string>> = { times: '×', divide: '÷' }

const characterOf = (code: number): string | undefined =>
  code <= 0x10ffff ? String.fromCodePoint(code) : undefined

function decodedPercent(name: string): string {
  try {
    return decodeURIComponent(name)
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
