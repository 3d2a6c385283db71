import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  continued,
  isSigned,
  NO_SIGNATURE,
  PAD,
  pointsOf,
  signatureIn,
  signed,
  type Signature,
} from '#features/report-pdf/signature.ts'

const AT = '2026-11-20T11:40:00+09:00'
const point = fc.record({
  x: fc.double({ min: -50, max: 650, noNaN: true }),
  y: fc.double({ min: -50, max: 350, noNaN: true }),
})
interface Point {
  x: number
  y: number
}
const signedBy = (strokes: readonly (readonly Point[])[]) =>
  strokes.reduce<Signature>(
    (signature, points) => signed(signature, points.reduce<readonly number[]>(continued, []), AT),
    NO_SIGNATURE,
  )

describe('[issue 54] the signature of 立会者', () => {
  test('whatever is drawn stays in the field, and is read back from its draft as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.array(point, { minLength: 1, maxLength: 30 }), { maxLength: 6 }), (strokes) => {
        const signature = { ...signedBy(strokes), name: '𠮷田 太郎' }
        for (const [x, y] of signature.strokes.flatMap(pointsOf))
          expect([x >= 0 && x <= PAD.width, y >= 0 && y <= PAD.height]).toEqual([true, true])
        expect(signatureIn(JSON.stringify(signature))).toEqual(signature)
      }),
    )
  })

  test.each<[string, Point[][]]>([
    ['nothing', []],
    ['a dot', [[{ x: 10, y: 10 }]]],
    [
      'a dot by a finger that shakes',
      [
        [
          { x: 10, y: 10 },
          { x: 10.6, y: 10.4 },
        ],
      ],
    ],
  ])('%s is no signature', (_, strokes) => expect(isSigned(signedBy(strokes))).toBe(false))

  test('one stroke too many is not added, and what was drawn before stays', () => {
    const long = signed(
      NO_SIGNATURE,
      Array.from({ length: 20_000 }, () => 1),
      AT,
    )
    expect(signed(long, [1, 2, 30, 40], AT)).toBe(long)
    expect(signatureIn(JSON.stringify(long))).toEqual(long)
  })

  test.each([
    [null],
    ['text'],
    [{ strokes: 'x', name: 1 }],
    [{ strokes: [['a']], name: 'a', at: '' }],
    [{ strokes: [], name: 'n'.repeat(121), at: '' }],
    [{ strokes: [Array.from({ length: 20_002 }, () => 1)], name: '', at: '' }],
  ])('a draft of %j is none', (values) => {
    expect(signatureIn(JSON.stringify(values))).toEqual(NO_SIGNATURE)
  })

  test.each([[''], ['{']])('a draft that is %j, no JSON, is none', (text) =>
    expect(signatureIn(text)).toEqual(NO_SIGNATURE),
  )
})
