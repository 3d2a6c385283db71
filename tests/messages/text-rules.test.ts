/** Every kind of text of spec 5, and every wording of what is wrong with one. */
import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import type { Field } from '#schemas/declare/declare.ts'
import { textOf, textRules, type TextRule } from '#schemas/declare/text-rules.ts'
import { crossRules } from '#form/use-declared-form.tsx'
import { fieldMessage } from '#messages/messages.ts'
import { i18n } from '../support/i18n.ts'

type Kind = Parameters<typeof textOf>[0]

/** What a field 項目 of this kind says of a text; undefined where it takes it. */
function saidOf(kind: Kind, text: unknown): string | undefined {
  const parsed = textOf(kind)(text)
  return parsed instanceof type.errors ? fieldMessage(i18n, [...parsed], '項目') : undefined
}

const NUMBER = '項目は数値のみ入力可能です'
const FORMAT = '項目が正しい形式ではありません。'
const INTEGER = '項目は半角数字と「-」のみ入力できます。'
const UNSIGNED = '項目は半角数字と「.」のみ入力できます。'
const DECIMAL = '項目は半角数字と「.」と「-」のみ入力できます。'
const PHONE = '有効な電話番号を入力してください'
const EMAIL = '有効なメールアドレスを入力してください'
const HIRAGANA = '項目はひらがなのみ入力可能です'
const KANA = '項目は半角カタカナのみ入力可能です'
const whole = (n: number) => `項目の整数部は${n}桁以内で入力してください`
const part = (n: number) => `項目の小数部は${n}桁以内で入力してください`

/** Of each rule what it takes, and what it does not, with what it says. */
const CASES: Readonly<Record<TextRule, { takes: string[]; refuses: Record<string, string> }>> = {
  numeric: { takes: ['0', '0123'], refuses: { '1a': NUMBER, '-1': NUMBER, '1.5': NUMBER, '１': NUMBER } },
  integer: {
    takes: ['0', '-12', '0007'],
    refuses: { '1.5': INTEGER, '+1': INTEGER, 一: INTEGER, '1-2': FORMAT, '-': FORMAT },
  },
  unsignedDecimal: {
    takes: ['0', '12.50'],
    refuses: { '-1': UNSIGNED, '1,5': UNSIGNED, '1.2.3': FORMAT, '.5': FORMAT, '1.': FORMAT },
  },
  decimal: {
    takes: ['0', '-12.50', '1'],
    refuses: { '1e3': DECIMAL, ' 1': DECIMAL, '1-': FORMAT, '--1': FORMAT, '1.2.3': FORMAT },
  },
  decimal9_1: {
    takes: ['123456789.1', '-123456789.1', '0'],
    refuses: { '1234567890': whole(9), '1.23': part(1), '1234567890.12': whole(9), a: DECIMAL, '1.': FORMAT },
  },
  decimal8_2: {
    takes: ['12345678.12', '-12345678'],
    refuses: { '123456789': whole(8), '1.234': part(2), '1.2.3': FORMAT },
  },
  zipcode: {
    takes: ['100-0001', '1000001'],
    refuses: { '100-001': FORMAT, '〒100-0001': FORMAT, '10-00001': FORMAT },
  },
  url: {
    takes: ['https://example.jp/a?b=1', 'http://example.jp'],
    refuses: {
      'example.jp': FORMAT,
      'javascript:alert(1)': FORMAT,
      'https://': FORMAT,
      'https://a b.jp': FORMAT,
    },
  },
  hiragana: {
    takes: ['かんりにん', 'すーぱー', 'やまだ たろう'],
    refuses: { カナ: HIRAGANA, 漢字: HIRAGANA, a: HIRAGANA },
  },
  kana: { takes: ['ｶﾝﾘﾆﾝ', 'ﾔﾏﾀﾞ ﾀﾛｳ'], refuses: { カナ: KANA, かな: KANA, ｶ1: KANA } },
  phone: {
    takes: ['03-1234-5678', '-1'],
    refuses: { '0312345678': PHONE, '-': PHONE, '03-1234-567a': PHONE },
  },
  email: { takes: ['a@example.jp'], refuses: { 'a@': EMAIL, 'a b@example.jp': EMAIL } },
  password: { takes: ['12345678', 'pass word'], refuses: { '1234567': '項目は8文字以上で入力してください' } },
}

const rules = Object.keys(textRules) as TextRule[]

describe.each(rules)('[spec 5] a text of the rule %s', (rule) => {
  const { takes, refuses } = CASES[rule]
  test.each(takes)('takes %j', (text) => expect(saidOf({ max: 40, rule }, text)).toBeUndefined())
  test.each(Object.entries(refuses))('refuses %j: %s', (text, message) =>
    expect(saidOf({ max: 40, rule }, text)).toBe(message),
  )
  test('takes nothing where it is not required, and says so where it is', () => {
    expect(saidOf({ max: 40, rule }, '')).toBeUndefined()
    expect(saidOf({ max: 40, rule, required: true }, '')).toBe('項目は必須です')
  })
  test('what is too long is said first', () =>
    expect(saidOf({ max: 3, rule }, '😱あa.')).toBe('項目は3文字以内で入力してください'))
})

test.each<[string, Kind, string, string]>([
  ['required', { max: 3, required: true }, ' ', '項目は必須項目です。'],
  ['max length', { max: 3 }, '1234', '項目は最大3文字です。'],
  ['digits before the point', { max: 20, rule: 'decimal9_1' }, '1234567890', '項目の整数部は最大9桁です。'],
  ['digits behind it', { max: 20, rule: 'decimal8_2' }, '1.234', '項目の小数部は最大2桁です。'],
  ['what has one form only', { max: 20, rule: 'zipcode' }, '1', FORMAT],
])('[spec 5] the other wording: %s', (_, kind, text, message) => {
  expect(saidOf({ ...kind, wording: 'sentence' }, text)).toBe(message)
})

describe('[spec 5] what depends on another field', () => {
  const says = (field: Field, value: unknown, values: object) => {
    const { validators } = crossRules(field) as {
      validators?: { onDynamic: (of: object) => string | undefined }
    }
    const error = validators?.onDynamic({ value, fieldApi: { form: { state: { values } } } })
    return error && fieldMessage(i18n, [error], '項目')
  }
  const text = { kind: 'text', max: 20 } as const
  const while2 = { ...text, requiredWhile: { type: ['2', '3'], other: ['99'] } } as const

  test.each([
    ['required while both say so', while2, '', { type: '3', other: '99' }, '項目は必須です'],
    [
      'in the other wording',
      { ...while2, wording: 'sentence' },
      ' ',
      { type: '2', other: '99' },
      '項目は必須項目です。',
    ],
    ['filled in', while2, 'a', { type: '2', other: '99' }, undefined],
    ['one of them says something else', while2, '', { type: '2', other: '1' }, undefined],
    [
      'a confirmation that differs',
      { ...text, sameAs: 'password' },
      'b',
      { password: 'a' },
      '項目が一致しません',
    ],
    ['one that is the same', { ...text, sameAs: 'password' }, 'a', { password: 'a' }, undefined],
    ['no such rule', text, '', {}, undefined],
  ] as const)('%s', (_, field, value, values, message) => expect(says(field, value, values)).toBe(message))
})
