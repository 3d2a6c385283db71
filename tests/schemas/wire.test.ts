import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import {
  isoDate,
  isoDateTime,
  wireCode,
  wireDate,
  wireDateTime,
  wireId,
  wireIdOrNone,
  wireRef,
  wireText,
} from '#schemas/declare/wire.ts'

const REFUSED = 'refused'
const read = (parse: (value: unknown) => unknown, value: unknown) => {
  const parsed = parse(value)
  return parsed instanceof type.errors ? REFUSED : parsed
}

describe('[contract 2] a date is a day that exists, written YYYY-MM-DD', () => {
  test.each(['2026-11-20', '2028-02-29', '2026-12-31', '2000-02-29', '0001-01-01'])('%s', (day) => {
    expect(read(isoDate, day)).toBe(day)
  })
  test.each([
    '2026-02-29',
    '2026-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '1900-02-29',
    '2026/11/20',
    '20261120',
    '2026-11-2',
    ' 2026-11-20',
    '2026-11-20T00:00:00Z',
    '２０２６-11-20',
    '',
    20261120,
    null,
    undefined,
  ])('not %s', (day) => expect(read(isoDate, day)).toBe(REFUSED))
})

describe('[contract 2] a date-time is ISO 8601 with any offset or Z', () => {
  test.each([
    '2026-11-20T08:56:00+09:00',
    '2026-11-19T23:56:00Z',
    '2026-11-19T23:56:00.123Z',
    '2026-11-19T15:56:00-08:00',
    '2026-11-20T05:26:00+05:30',
    '2026-11-20T08:56+09:00',
    '2028-02-29T23:59:59+09:00',
  ])('%s', (at) => expect(read(isoDateTime, at)).toBe(at))
  test.each([
    '2026-11-20T08:56:00',
    '2026-11-20 08:56:00+09:00',
    '2026-11-20',
    '08:56',
    '',
    '2026-02-30T08:56:00+09:00',
    '2026-02-29T08:56:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T08:60:00Z',
    '2026-11-20T08:56:00+9',
    '2026-11-20T08:56:00JST',
    1795e9,
    null,
  ])('not %s', (at) => expect(read(isoDateTime, at)).toBe(REFUSED))
})

describe('[contract 2] an absent field and null mean the same', () => {
  test.each([
    ['a text', wireText],
    ['a code', wireCode],
    ['a date', wireDate],
    ['a date-time', wireDateTime],
    ['a reference', wireRef],
  ] as [string, (value: unknown) => unknown][])('%s', (_, parse) => {
    expect([read(parse, null), read(parse, undefined)]).toEqual([null, null])
  })

  test.each([
    ['a code', wireCode],
    ['a date', wireDate],
    ['a date-time', wireDateTime],
  ] as [string, (value: unknown) => unknown][])('nor does an empty text say anything: %s', (_, parse) => {
    expect(read(parse, '')).toBe(null)
  })

  test.each([{ id: null }, { id: '' }, {}, { id: undefined, name: 'x' }])(
    'nor does a reference without an id refer to anything: %j',
    (reference) => expect(read(wireRef, reference)).toBe(null),
  )

  test('in an object too', () => {
    const row = type({ 'a?': wireText, 'b?': wireCode })
    expect(row({ a: null })).toEqual({ a: null })
    expect(row({})).toEqual({})
  })
})

describe('[contract 2] codes are text, a number is read as one', () => {
  test.each([
    ['1', '1'],
    [1, '1'],
    [0, '0'],
    ['02', '02'],
    [99, '99'],
    ['', null],
  ])('%j → %j', (value, code) => expect(read(wireCode, value)).toBe(code))
  test.each([[true], [['1']], [{ code: '1' }]])('not %j', (value) =>
    expect(read(wireCode, value)).toBe(REFUSED),
  )
})

describe('ids and texts', () => {
  test.each([
    [wireId, 12_345, '12345'],
    [wireId, 'a-1', 'a-1'],
    [wireId, '', REFUSED],
    [wireId, null, REFUSED],
    [wireText, 3, '3'],
    [wireText, '', ''],
    [wireText, '行\n行 🔧', '行\n行 🔧'],
    [wireText, {}, REFUSED],
    [wireText, false, REFUSED],
    [wireRef, { id: 7, more: 'x' }, { id: '7', more: 'x' }],
    [wireRef, { id: 'x'.repeat(65) }, REFUSED],
    [wireRef, 'c-1', REFUSED],
    [wireRef, [], REFUSED],
    [wireDate, '2026-02-30', REFUSED],
    [wireDateTime, 'soon', REFUSED],
  ] as [(value: unknown) => unknown, unknown, unknown][])('%#: %j → %j', (parse, value, wanted) => {
    expect(read(parse, value)).toEqual(wanted)
  })
})

test.each([Number('12345678901234567890'), Number('-9007199254740993'), 1.5, Number.NaN, 1e21])(
  '[PL2] %j, as JSON has rounded it, is no id',
  (id) => {
    expect(read(wireId, id)).toBe(REFUSED)
    expect(read(wireRef, { id })).toBe(REFUSED)
    expect(read(wireIdOrNone, id)).toBe(REFUSED)
    if (Number.isInteger(id)) expect(read(wireText, id)).toBe(REFUSED)
  },
)
