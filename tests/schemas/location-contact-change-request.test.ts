import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { draftOf } from '#schemas/declare/derive.ts'
import { locationContactChangeRequest } from '#schemas/resources/location-contact-change-request.ts'
import { inputOf } from '#schemas/declare/form-values.ts'

const long = 'あ'.repeat(50)
const whole = {
  ...inputOf(locationContactChangeRequest),
  name: long,
  kana: 'ｱ'.repeat(50),
  section: long,
  class: long,
  staffName: long,
  means: 'あ'.repeat(100),
  email: 'kanri@example.jp',
  tel1: '03-5550-0123',
}
const errorOf = (over: object) => {
  const result = draftOf(locationContactChangeRequest)({ ...whole, ...over })
  return result instanceof type.errors ? result[0] : undefined
}

describe('[spec 5][spec 9] the form 連絡先変更依頼', () => {
  test.each([
    ['every field at its limit', {}],
    ['14 digits and hyphens', { tel1: '012-3456-78901' }],
    ['no optional field', { section: '', class: '', staffName: '', means: '', email: '' }],
    ['marks and a space in kana', { kana: 'ｶﾞﾝﾊﾞ ｰ･ﾟ' }],
  ])('takes %s', (_, over) => expect(errorOf(over)).toBeUndefined())

  test.each<[string, object, string]>([
    ['a name of 51', { name: 'a'.repeat(51) }, 'maxLength'],
    ['a section of 51', { section: 'a'.repeat(51) }, 'maxLength'],
    ['means of 101', { means: 'a'.repeat(101) }, 'maxLength'],
    ['a number of 15', { tel1: '0123-4567-89012' }, 'maxLength'],
  ])('refuses %s', (_, over, code) => expect(errorOf(over)?.code).toBe(code))

  test.each<[string, object, string]>([
    ['no name', { name: '' }, 'ec00001'],
    ['full-width kana', { kana: 'カンリ' }, 'kana'],
    ['hiragana', { kana: 'かんり' }, 'kana'],
    ['letters in kana', { kana: 'ｶﾝﾘabc' }, 'kana'],
    ['no kana', { kana: '' }, 'ec00001'],
    ['an address without @', { email: 'kanri' }, 'ec00024'],
    ['no number', { tel1: '' }, 'ec00001'],
    ['a number without a hyphen', { tel1: '0355500123' }, 'ec00025'],
    ['only hyphens', { tel1: '---' }, 'ec00025'],
    ['other characters', { tel1: '03(555)-012' }, 'ec00025'],
    ['full-width digits', { tel1: '０３-5550' }, 'ec00025'],
  ])('refuses %s by its message', (_, over, key) => expect(errorOf(over)?.expected).toBe(key))
})
