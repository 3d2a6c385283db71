/**
 * The rules for text fields (spec 5): `{ kind: 'text', max: 8, rule: 'zipcode' }`. A failing rule returns the key of
 * a message (`src/messages`) and, after a colon, the number in that message. An empty text passes every rule.
 * `requiredWhile` and `sameAs` depend on other fields, so the form checks them (`src/form/use-declared-form.tsx`).
 */
import { type } from 'arktype'
import { PASSWORD_MIN } from '#schemas/limits.ts'
import { isBlank } from '#schemas/text.ts'

type Rule = (text: string) => string | null

const only =
  (pattern: RegExp, problem: string): Rule =>
  (text) =>
    pattern.test(text) ? null : problem

/** Applies two rules: first the one for the allowed characters, then the one for the format. */
const both =
  (first: Rule, then: Rule): Rule =>
  (text) =>
    first(text) ?? then(text)

const decimal = both(only(/^[\d.-]+$/, 'decimal'), only(/^-?\d+(\.\d+)?$/, 'format'))

/** Limits the digits before and after the decimal point. */
const digits =
  (whole: number, part: number): Rule =>
  (text) => {
    const [before = '', after = ''] = text.replace('-', '').split('.')
    const problem = decimal(text)
    if (problem !== null) return problem
    if (before.length > whole) return `integerDigits:${whole}`
    return after.length > part ? `decimalDigits:${part}` : null
  }

const email = type('string.email')
const isWebAddress = (text: string) => URL.canParse(text) && /^https?:\/\/[^\s]+$/.test(text)

export const textRules = {
  /** Half-width katakana with voicing and length marks (ﾞ ﾟ ｰ ･). A space may separate names. */
  kana: only(/^[\uFF65-\uFF9F ]+$/, 'kana'),
  hiragana: only(/^[\u3041-\u3096\u309D\u309Eー 　]+$/, 'hiragana'),
  /** Digits and hyphens, at least one of each. */
  phone: only(/^(?=.*\d)(?=.*-)[\d-]+$/, 'ec00025'),
  email: (text) => (email.allows(text) ? null : 'ec00024'),
  url: (text) => (isWebAddress(text) ? null : 'format'),
  zipcode: only(/^\d{3}-?\d{4}$/, 'format'),
  numeric: only(/^\d+$/, 'ec00004'),
  integer: both(only(/^[\d-]+$/, 'integer'), only(/^-?\d+$/, 'format')),
  unsignedDecimal: both(only(/^[\d.]+$/, 'unsignedDecimal'), only(/^\d+(\.\d+)?$/, 'format')),
  decimal,
  decimal9_1: digits(9, 1),
  decimal8_2: digits(8, 2),
  password: (text) => (text.length >= PASSWORD_MIN ? null : `minLength:${PASSWORD_MIN}`),
} satisfies Record<string, Rule>
export type TextRule = keyof typeof textRules

/** The two wordings of messages about required fields and lengths (spec 5); `sentence` ends with 。. */
export type Wording = 'plain' | 'sentence'

const SENTENCES: Readonly<Record<string, string>> = {
  ec00001: 'requiredSentence',
  ec00003: 'maxLengthSentence',
  integerDigits: 'integerDigitsSentence',
  decimalDigits: 'decimalDigitsSentence',
}

function inWording(problem: string, wording: Wording): string {
  if (wording === 'plain') return problem
  const [key = '', ...values] = problem.split(':')
  return [SENTENCES[key] ?? key, ...values].join(':')
}

interface TextKind {
  max: number
  required?: true | undefined
  rule?: TextRule | undefined
  wording?: Wording | undefined
}

/** The schema of a text field. '' means no value. */
export const textOf = ({ max, required, rule, wording = 'plain' }: TextKind) => {
  const problemOf = (text: string): string | null => {
    if (text.length > max) return `ec00003:${max}`
    if (required && isBlank(text)) return 'ec00001'
    return text === '' || !rule ? null : textRules[rule](text)
  }
  // In the plain wording, ArkType checks the length, and `src/messages/messages.ts` reports ec00003.
  const text = wording === 'plain' ? type(`string <= ${max}`) : type('string')
  return text.narrow((value, ctx) => {
    const problem = problemOf(value)
    return problem === null || ctx.mustBe(inWording(problem, wording))
  })
}
