import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import * as limits from '#schemas/limits.ts'
import { draftOf } from '#schemas/declare/derive.ts'
import { quickReport } from '#schemas/resources/quick-report.ts'
import { wireId } from '#schemas/declare/wire.ts'

const draft = (reportContent: string) => ({ type: '1', reason1: '', reason2: '', reportContent })
const accepts = (value: unknown) => !(draftOf(quickReport)(value) instanceof type.errors)

test.each([
  ['QUICK_REPORT_UPDATE_DAYS', 7],
  ['PARKING_METHOD_MAX', 500],
  ['IN_METHOD_MAX', 500],
  ['EMERGENCY_DETAILS_MAX', 300],
  ['NOTE_MAX', 1000],
  ['CONTACT_TEXT_MAX', 50],
  ['CONTACT_MEANS_MAX', 100],
  ['CONTACT_TEL_MAX', 14],
  ['REPORT_CONTENT_MAX', 500],
  ['PHOTO_MAX_MB', 10],
  ['PAGE_SIZE', 50],
  ['FIRST_OFFSET', 1],
  ['FLASH_DISMISS_MS', 10_000],
  ['CONNECTIVITY_POLL_MS', 1_000],
  ['REFETCH_AFTER_RECONNECT_MS', 3_500],
  ['EXPIRY_MS', 86_400_000],
] as const)('[spec 9] %s is %d', (name, value) => {
  expect(new Map<string, unknown>(Object.entries(limits)).get(name)).toBe(value)
})

describe('[spec 9] 報告内容 takes 500 characters', () => {
  test.each([
    ['nothing', ''],
    ['500 letters', 'a'.repeat(500)],
    ['500 kana', 'あ'.repeat(500)],
    ['500 with line breaks', `${'あ'.repeat(249)}\n${'い'.repeat(250)}`],
    ['250 emoji, which count twice', '🔧'.repeat(250)],
    ['a surrogate pair that ends at the limit', `${'あ'.repeat(498)}🔧`],
  ])('%s', (_, text) => expect(accepts(draft(text))).toBe(true))

  test.each([
    ['501 letters', 'a'.repeat(501)],
    ['501 kana', 'あ'.repeat(501)],
    ['a surrogate pair over the limit', `${'あ'.repeat(499)}🔧`],
    ['251 emoji', '🔧'.repeat(251)],
    ['a number', 5],
    ['null', null],
  ])('not %s', (_, text) => expect(accepts({ ...draft(''), reportContent: text })).toBe(false))
})

describe('the form 退館報告', () => {
  test.each([
    ['2', '6', ''],
    ['3', '', '99'],
    ['1', '', ''],
  ])('type %s with reasons "%s" and "%s"', (kind, reason1, reason2) => {
    expect(accepts({ type: kind, reason1, reason2, reportContent: '' })).toBe(true)
  })

  test.each([
    { type: '' },
    { type: '4' },
    { type: 1 },
    { reason1: '7' },
    { reason1: null },
    { reason2: '6' },
    { reason2: undefined },
  ])('%j is not a choice of the form', (wrong) => {
    expect(accepts({ ...draft(''), ...wrong })).toBe(false)
  })
})

test.each([
  ['a', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['', false],
])('[contract 2] an id of at most 64 characters: %s', (id, fits) => {
  expect(!(wireId(id) instanceof type.errors)).toBe(fits)
})
