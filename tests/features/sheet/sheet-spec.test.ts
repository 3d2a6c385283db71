import { describe, expect, test } from 'vitest'
import { gasSheet, measuredIn } from '#features/sheet/sheets.ts'
import {
  fieldProblem,
  isFilledIn,
  sheetValuesIn,
  withText,
  type SheetField,
} from '#features/sheet/sheet-spec.ts'
import { i18n } from '../../support/i18n.ts'

const field = (of: Partial<SheetField>): SheetField => ({
  name: 'x',
  label: { id: 'x' },
  kind: 'line',
  max: 10,
  ...of,
})

describe('[issue 54] a text of a sheet', () => {
  test.each([
    ['line', '', 'ec00001'],
    ['line', ' 　', 'ec00001'],
    ['line', 'あ'.repeat(11), 'ec00003'],
    ['line', 'あ'.repeat(10), null],
    ['number', '10', null],
    ['number', '0', null],
    ['number', '9.55', null],
    ['number', '10.1', 'number'],
    ['number', '-1', 'number'],
    ['number', '1e1', 'number'],
    ['number', '1.', 'number'],
    ['number', 'あ', 'number'],
  ] as const)('%s %j: %s', (kind, text, expected) => {
    expect(fieldProblem(field({ kind }), text)).toBe(expected)
  })

  test('may be missing where it is not required', () => {
    expect(fieldProblem(field({ isOptional: true }))).toBeNull()
  })
})

describe('[issue 54] 酸素・硫化水素濃度測定記録', () => {
  const row = { place: '上部', oxygen: '20.9', sulfide: '0', at: '' }
  const stops = (oxygen: string, sulfide: string) =>
    gasSheet.stopsIn({ fields: {}, rows: [row, { ...row, oxygen, sulfide }] }).map((each) => i18n._(each))

  test.each([
    ['18', '10', 0],
    ['20.9', '0', 0],
    ['17.9', '0', 1],
    ['17.99', '10', 1],
    ['20.9', '10.1', 1],
    ['5', '100', 2],
    ['', '', 0],
  ])('oxygen %s, hydrogen sulphide %s: %d reasons to stop', (oxygen, sulfide, n) => {
    expect(stops(oxygen, sulfide)).toHaveLength(n)
  })

  test('is filled in with every text that the law names', () => {
    const fields = { method: '濃度計', condition: '換気中', measurer: '大西 修' }
    const values = { fields, rows: [row], pictures: [] }
    expect(isFilledIn(gasSheet, values)).toBe(true)
    for (const name of Object.keys(fields))
      expect(isFilledIn(gasSheet, { ...values, fields: { ...fields, [name]: '' } })).toBe(false)
    for (const name of ['place', 'oxygen', 'sulfide'])
      expect(isFilledIn(gasSheet, { ...values, rows: [row, { ...row, [name]: '' }] })).toBe(false)
  })

  test('the time of a point is that of its first number, and of none without a number', () => {
    const [first, later] = ['2026-11-20T09:00:00+09:00', '2026-11-20T10:00:00+09:00']
    const change = (to: Record<string, string>, change_: Record<string, string>, at: string) =>
      withText(gasSheet.rows, to, change_, at)
    const placed = change({}, { place: '下部' }, first)
    expect(placed['at']).toBe('')
    const measured = change(placed, { oxygen: '20.9' }, first)
    expect(measured['at']).toBe(first)
    expect(change(measured, { sulfide: '1' }, later)['at']).toBe(first)
    expect(change(change(measured, { oxygen: '' }, later), { oxygen: '20' }, later)['at']).toBe(later)
  })

  test('what was measured: the valid numbers, and the times of points that have one', () => {
    const [first, last] = ['2026-11-20T09:00:00+09:00', '2026-11-20T10:00:00+09:00']
    const rows = [
      { ...row, at: last },
      { ...row, oxygen: '17.9', sulfide: '12', at: first },
      { ...row, oxygen: '101', sulfide: 'x', at: first },
      { place: '下部' },
    ]
    const found = { oxygen: [20.9, 17.9], sulfide: [0, 12], times: [first, first, last] }
    expect(measuredIn({ rows })).toEqual(found)
    expect(measuredIn({ rows: [] })).toEqual({ oxygen: [], sulfide: [], times: [] })
  })

  test.each([
    '',
    'null',
    '{}',
    '{"fields":{"x":1},"rows":[],"pictures":[]}',
    '{"fields":{},"rows":[1],"pictures":[]}',
  ])('stored as %j is no sheet', (json) => expect(sheetValuesIn(json)).toBeNull())
})
