import { describe, expect, test } from 'vitest'
import { draftOf } from '#schemas/declare/derive.ts'
import { customerLocationChangeRequest } from '#schemas/resources/customer-location-change-request.ts'
import { inputOf } from '#schemas/declare/form-values.ts'

const draft = draftOf(customerLocationChangeRequest)
const whole = {
  ...inputOf(customerLocationChangeRequest),
  parkingType: '1',
  parkingMethod: 'あ'.repeat(500),
  inMethod: 'い'.repeat(500),
}

describe('[spec 5][spec 9] the form 入館・駐車場情報変更依頼', () => {
  test.each([
    ['500 characters each', {}],
    ['no parking', { parkingType: '', parkingMethod: '' }],
    ['one character', { inMethod: 'a' }],
  ])('takes %s', (_, over) => expect(draft.allows({ ...whole, ...over })).toBe(true))

  test.each([
    ['an unknown parking type', { parkingType: '3' }],
    ['501 characters of parking', { parkingMethod: 'a'.repeat(501) }],
    ['501 characters of entry', { inMethod: 'a'.repeat(501) }],
    ['no entry', { inMethod: '' }],
    ['a blank entry', { inMethod: '　' }],
    ['null', { parkingMethod: null }],
  ])('refuses %s', (_, over) => expect(draft.allows({ ...whole, ...over })).toBe(false))
})
