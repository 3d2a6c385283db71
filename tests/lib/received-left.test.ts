import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leftIn, leftText } from '#lib/received-left.ts'

test('[decisions/photos] what was not stored is read from the address as it was written', () => {
  const left = [
    { why: 'ec00015', n: 2 },
    { why: 'full', n: 17 },
    { why: 'worker', n: 0 },
  ] as const
  expect(leftText(left)).toBe('ec00015-2.full-17.worker-0')
  expect(leftIn(leftText(left))).toEqual(left)
})

test('[decisions/photos] an address that somebody else wrote says nothing else', () => {
  expect(leftIn(undefined)).toEqual([])
  expect(leftIn('ec00015-2.ec00015-3.<b>-1.full-1000.full--1.room')).toEqual([{ why: 'ec00015', n: 2 }])
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(leftIn(text).length).toBeLessThanOrEqual(7)
    }),
  )
})
