import { expect, test } from 'vitest'
import { toHalfPhone } from '#form/half-width.ts'
import { dialled } from '#lib/phone-number.ts'

test.each([
  ['03-1234-5678', '0312345678'],
  ['０３－１２３４－５６７８', '0312345678'],
  ['090ー1234ー5678', '09012345678'],
  ['03 1234 5678', '0312345678'],
  ['(03)1234-5678', '0312345678'],
  ['03 - 1234 - 5678', '0312345678'],
  ['03　－　1234　－　5678', '0312345678'],
  ['03-1234-5678 - 12', '0312345678'],
  ['03（1234）5678', '0312345678'],
  ['+81 3-1234-5678', '+81312345678'],
  ['代表 0120-444-113 平日のみ', '0120444113'],
  ['03-1234-5678(内線 12)', '0312345678'],
  ['03-1234-5678 (12)', '0312345678'],
  ['03-1234-5678、090-1111-2222', '0312345678'],
  ['03-1234-5678 090-1111-2222', '0312345678'],
  ['0312345678,,9#', '0312345678'],
  ['110', '110'],
  ['なし', null],
  ['', null],
])('[spec 3] 電話 at %j calls %j, and never what stands behind it', (text, number) =>
  expect(dialled(text)).toBe(number),
)

// as keyboards, spreadsheets and word processors write a hyphen
const DASHES = [0x2d, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0x30fc, 0xff0d, 0xff70]

test.each(DASHES.map((code) => [code.toString(16), String.fromCharCode(code)]))(
  '[spec 3] U+%s is a hyphen of a number, in a form and where it is called',
  (_, dash) => {
    const number = ['03', '1234', '5678'].join(dash)
    expect(dialled(number)).toBe('0312345678')
    expect(toHalfPhone(number)).toBe('03-1234-5678')
  },
)
