import { expect, test } from 'vitest'
import { mayEnter } from '#lib/permission.ts'
import { UserFlag } from '#schemas/codes.ts'

test.each(UserFlag.options)('[spec 6] the permission {ip}: $code $label', ({ code }) => {
  expect(mayEnter(Number(code))).toBe(['5', '6', '7', '8'].includes(code))
})

test.each([0, 10, Number.NaN])('[spec 6] %d is nobody who may enter', (flag) => {
  expect(mayEnter(flag)).toBe(false)
})
