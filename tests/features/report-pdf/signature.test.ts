import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  drawnTo,
  isSigned,
  NO_SIGNATURE,
  PAD,
  pointsOf,
  signatureIn,
  type Signature,
} from '#features/report-pdf/signature.ts'

const point = fc.record({
  x: fc.double({ min: -50, max: 650, noNaN: true }),
  y: fc.double({ min: -50, max: 250, noNaN: true }),
  isNew: fc.boolean(),
})
const signedBy = (points: readonly { x: number; y: number; isNew: boolean }[]) =>
  points.reduce<Signature>((signature, { isNew, ...at }) => drawnTo(signature, at, isNew), NO_SIGNATURE)

describe('[issue 54] the signature of 立会者', () => {
  test('whatever is drawn stays in the field, and is read back from its draft as it was', () => {
    fc.assert(
      fc.property(fc.array(point, { maxLength: 60 }), (points) => {
        const signature = { ...signedBy(points), name: '𠮷田 太郎', at: '2026-11-20T11:40:00+09:00' }
        for (const [x, y] of signature.strokes.flatMap(pointsOf))
          expect([x >= 0 && x <= PAD.width, y >= 0 && y <= PAD.height]).toEqual([true, true])
        expect(signatureIn(JSON.parse(JSON.stringify(signature)))).toEqual(signature)
      }),
    )
  })

  test.each([
    ['nothing', []],
    ['a dot', [{ x: 10, y: 10, isNew: true }]],
    [
      'a dot by a finger that shakes',
      [
        { x: 10, y: 10, isNew: true },
        { x: 10.6, y: 10.4, isNew: false },
      ],
    ],
  ])('%s is no signature', (_, points) => {
    expect(isSigned(signedBy(points))).toBe(false)
  })

  test.each([
    [null],
    ['text'],
    [{ strokes: 'x', name: 1 }],
    [{ strokes: [['a']], name: 'a', at: '' }],
    [{ strokes: [], name: 'n'.repeat(121), at: '' }],
    [{ strokes: [Array.from({ length: 20_002 }, () => 1)], name: '', at: '' }],
  ])('a draft of %j is none', (values) => {
    expect(signatureIn(values)).toEqual(NO_SIGNATURE)
  })
})
