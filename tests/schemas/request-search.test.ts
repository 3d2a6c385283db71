import { describe, expect, test } from 'vitest'
import { OrderFlag, OrderFlagName } from '#schemas/codes.ts'
import type { RequestFilter } from '#schemas/device/interest.ts'
import { matcherOf } from '#schemas/resources/request-search.ts'
import { searchText } from '#schemas/text.ts'

const record = {
  workingDate: '2026-11-20',
  requestCode: 'R26-112041',
  locationName: 'ＡＢＣ第２ビル 地下ピット',
  customerName: '株式会社ｶﾞｰﾃﾞﾝ',
  orderFlag: '7',
  emergency: false,
}
const all: RequestFilter = {
  from: '',
  to: '',
  requestCode: '',
  locationName: '',
  customerName: '',
  orderFlags: [],
  emergencyOnly: false,
}
const finds = (
  filter: Partial<RequestFilter>,
  change: Partial<typeof record> | { customerName: null } = {},
) => matcherOf({ ...all, ...filter })({ ...record, ...change })

describe('[contract 4] 依頼検索 finds', () => {
  test.each([
    ['everything where nothing is asked', {}],
    ['the code by its beginning', { requestCode: 'R26-1120' }],
    ['the whole code', { requestCode: 'R26-112041' }],
    ['the code in full-width letters', { requestCode: 'Ｒ２６－１１２０' }],
    ['the code in small letters with spaces', { requestCode: ' r26-11 ' }],
    ['the code with the hyphen of a kana keyboard', { requestCode: 'Ｒ２６ー１１２０' }],
    ['the location by a part', { locationName: '第2ビル' }],
    ['the location in half-width', { locationName: 'abc' }],
    ['the location over its space', { locationName: 'ビル地下' }],
    ['the customer in full-width kana', { customerName: 'ガーデン' }],
    ['the first day of the range', { from: '2026-11-20' }],
    ['the last day of the range', { to: '2026-11-20' }],
    ['one day', { from: '2026-11-20', to: '2026-11-20' }],
    ['one of several flags', { orderFlags: ['1', '7'] }],
    ['all conditions at once', { from: '2026-11-01', to: '2026-11-30', requestCode: 'R', orderFlags: ['7'] }],
  ])('%s', (_, filter) => expect(finds(filter)).toBe(true))
})

describe('[contract 4] 依頼検索 leaves out', () => {
  test.each([
    ['a code that only ends so', { requestCode: '112041' }],
    ['another location', { locationName: '第3ビル' }],
    ['another customer', { customerName: '有限会社' }],
    ['the day before the range', { from: '2026-11-21' }],
    ['the day after the range', { to: '2026-11-19' }],
    ['a range turned round', { from: '2026-11-21', to: '2026-11-19' }],
    ['another flag', { orderFlags: ['1', '2'] }],
    ['what is no emergency', { emergencyOnly: true }],
    ['one condition of two that fails', { requestCode: 'R26', locationName: '第3ビル' }],
  ])('%s', (_, filter) => expect(finds(filter)).toBe(false))
})

// Every order flag of spec 3 with every checkbox of the filter.
test.each(
  OrderFlag.options.flatMap(({ code }) => OrderFlagName.options.map((box) => [code, box.code] as const)),
)('[screens /request] 種別: a request of flag %s by the box of %s', (orderFlag, box) => {
  const isFound = OrderFlag.label(orderFlag).startsWith(OrderFlag.label('7'))
    ? box === '7'
    : box === orderFlag
  expect(finds({ orderFlags: [box] }, { orderFlag })).toBe(isFound)
})

test('an emergency is found as one, and without asking for it', () => {
  expect(finds({ emergencyOnly: true }, { emergency: true })).toBe(true)
  expect(finds({}, { emergency: true })).toBe(true)
})

test('a request without a customer is found, but not by a customer', () => {
  expect(finds({}, { customerName: null })).toBe(true)
  expect(finds({ customerName: '株' }, { customerName: null })).toBe(false)
})

test('a search for spaces alone asks for nothing', () => {
  expect(finds({ locationName: ' 　', requestCode: '　' })).toBe(true)
})

test.each([
  ['ＡＢＣ　１２３', 'abc123'],
  ['ｶﾞｰﾃﾞﾝ', 'ガーデン'],
  ['ガ', 'ガ'],
  ['①', '1'],
])('%s is folded to %s', (text, folded) => expect(searchText(text)).toBe(folded))

test.each([
  ['1～3号機', '1〜3号機'],
  ['A−3棟', 'a-3棟'],
  ['A‐3棟', 'Ａ－３棟'],
  ['霞ヶ関ビル', '霞が関'],
  ['霞ケ関ビル', '霞ヶ関'],
  ['髙橋・山﨑', '高橋・山崎'],
  ['葛\u{E0100}飾', '葛飾'],
  ['みなとみらい', 'ミナト'],
  ['キヤノン', 'キャノン'],
  ['ｶﾞｰﾃﾞﾝ\u200B', 'がーでん'],
  ['渡邉', '渡辺'],
  ['1‾3号機', '1～3号機'],
  ['いすゞビル', 'イスズ'],
  ['スヾキ', 'すずき'],
  ['佐々木', '佐佐木'],
  ['第2\u0007\u007Fビル\uFFFC', '第2ビル'],
])('[contract 4] %s is found by %s', (locationName, typed) => {
  expect(finds({ locationName: typed }, { locationName })).toBe(true)
})
