import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { draftOf, wireOf } from '#schemas/declare/derive.ts'
import { emergencyReport } from '#schemas/resources/emergency-report.ts'
import { inputOf } from '#schemas/declare/form-values.ts'

const whole = {
  ...inputOf(emergencyReport),
  emergencyContents: ['1', '4'],
  risk: ['8'],
  correspondenceDate: '3',
  ttsStaffContact: '1',
  emergencyContentsDetails: 'あ'.repeat(300),
}
const fits = (over: object) => !(draftOf(emergencyReport)({ ...whole, ...over }) instanceof type.errors)

describe('[spec 5][spec 9] the form 緊急報告', () => {
  test.each([
    ['300 characters', {}],
    ['one content', { emergencyContents: ['2'] }],
    ['every risk', { risk: ['1', '2', '3', '4', '5', '6', '7', '8'] }],
  ])('takes %s', (_, over) => expect(fits(over)).toBe(true))

  test.each([
    ['301 characters', { emergencyContentsDetails: 'a'.repeat(301) }],
    ['no details', { emergencyContentsDetails: '' }],
    ['only blanks', { emergencyContentsDetails: ' \n　' }],
    ['no content', { emergencyContents: [] }],
    ['an unknown content', { emergencyContents: ['5'] }],
    ['no risk', { risk: [] }],
    ['no day', { correspondenceDate: '' }],
    ['no contact', { ttsStaffContact: '3' }],
  ])('refuses %s', (_, over) => expect(fits(over)).toBe(false))
})

test('[contract 2] a row reads absent as null and codes as text', () => {
  const row = wireOf(emergencyReport).assert({ id: 7, requestId: 'r1', correspondenceDate: 1, extra: true })
  expect(row).toMatchObject({ id: '7', correspondenceDate: '1' })
})
