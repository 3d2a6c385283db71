import { describe, expect, test } from 'vitest'
import { codeSchema } from '#schemas/code-schema.ts'
import { codeTable } from '#schemas/code-table.ts'
import * as codes from '#schemas/codes.ts'
import * as orderFlags from '#schemas/order-flag.ts'
import * as prefectures from '#schemas/prefecture.ts'

interface Table {
  code: Readonly<Record<string, string>>
  options: readonly { code: string; label: string }[]
  label: (code: string) => string
  has: (code: unknown) => code is string
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && 'options' in value && 'label' in value

const tables = [codes, orderFlags, prefectures]
  .flatMap((module) => Object.entries(module as Record<string, unknown>))
  .filter((entry): entry is [string, Table] => isTable(entry[1]))

test('every code table of the modules is looked at', () => {
  expect(tables.map(([name]) => name)).toEqual(
    expect.arrayContaining(['UserFlag', 'QuickReportType', 'Reason1', 'Reason2', 'OrderFlag', 'Prefecture']),
  )
  expect(tables.length).toBeGreaterThan(35)
})

describe.each(tables)('[spec 3] %s', (_, table) => {
  const list = table.options.map(({ code }) => code)

  test('each code stands for one thing', () => {
    expect(list.length).toBeGreaterThan(0)
    expect(new Set(list).size).toBe(list.length)
    expect(new Set(Object.values(table.code))).toEqual(new Set(list))
  })

  test('each label can be read, and no two are the same', () => {
    const labels = table.options.map(({ label }) => label)
    for (const label of labels) expect(label).toMatch(/^\S(.*\S)?$/)
    expect(new Set(labels).size).toBe(labels.length)
  })

  test('codes are parsed as the text they travel as, and nothing else is', () => {
    const schema = codeSchema(table)
    for (const { code, label } of table.options) {
      expect(schema.allows(code)).toBe(true)
      expect(table.has(code)).toBe(true)
      expect(table.label(code)).toBe(label)
      expect(schema.allows(Number(code))).toBe(false)
    }
    for (const wrong of ['', '98', null]) expect(schema.allows(wrong as never)).toBe(false)
  })
})

describe('[spec 3] the codes themselves', () => {
  test.each([
    [codes.UserFlag, '7', '社外孫請け業者'],
    [codes.AriStatus, '3', '有'],
    [codes.ConfirmationStatus, '9', '差戻し'],
    [codes.QuickReportType, '3', '中止・延期'],
    [codes.Reason1, '4', '時間超過（開始遅れ）'],
    [codes.Reason2, '99', 'その他'],
    [codes.WorkingDateType, '7', '実施工程'],
    [codes.ContactType, '03', '退館連絡先'],
    [codes.SafetyStatus, '0', '不要'],
    [codes.SafetyDirection, '6', '安全指示書なし'],
    [codes.Post, '9', 'GL'],
    [prefectures.Prefecture, '1', '北海道'],
    [prefectures.Prefecture, '13', '東京都'],
    [prefectures.Prefecture, '47', '沖縄県'],
    [prefectures.Prefecture, '99', 'その他'],
  ] as [Table, string, string][])('%# %s', (table, code, label) => {
    expect(table.label(code)).toBe(label)
    expect(table.options).toContainEqual({ code, label })
  })

  test('prefectures are 1 to 47 and 99', () => {
    const wanted = [...Array.from({ length: 47 }, (_, i) => String(i + 1)), '99']
    expect(prefectures.Prefecture.options.map(({ code }) => code)).toEqual(wanted)
  })

  test.each([
    ['2', '取替'],
    ['4', '調査'],
    ['5', '物販（有償支給）'],
    ['8', '保守（請求）'],
    ['42', '42'],
  ])('an order with flag %s is shown as %s', (flag, label) => {
    expect(orderFlags.orderFlagLabel(flag)).toBe(label)
  })
})

test('a code nobody knows is shown as it is, never hidden', () => {
  const table = codeTable({ one: ['1', '一'] })
  expect(table.label('8')).toBe('8')
  expect(table.has('8')).toBe(false)
  expect(table.has(1)).toBe(false)
})
