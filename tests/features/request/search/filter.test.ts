import { describe, expect, test } from 'vitest'
import {
  choiceOf,
  DEFAULT_CHOICE,
  filterOf,
  goesBeyondDevice,
  rangeText,
  readChoice,
} from '#features/request/search/filter.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'

const TODAY = '2026-11-20'
const week = filterOf({ ...DEFAULT_CHOICE, quick: 'week' }, TODAY)

describe('[screens /request] quick ranges', () => {
  test.each([
    ['yesterday', '2026-11-19', '2026-11-19'],
    ['today', '2026-11-20', '2026-11-20'],
    ['tomorrow', '2026-11-21', '2026-11-21'],
    ['week', '2026-11-20', '2026-11-26'],
  ] as const)('%s is %s to %s', (quick, from, to) => {
    expect(filterOf({ ...DEFAULT_CHOICE, quick }, TODAY)).toMatchObject({ from, to })
  })

  test('a quick range stays itself over midnight', () => {
    expect(filterOf({ ...DEFAULT_CHOICE, quick: 'today' }, '2026-11-21').from).toBe('2026-11-21')
  })

  test('typed days that are a quick range become it; others stay as typed', () => {
    expect(choiceOf(week, TODAY).quick).toBe('week')
    const typed = choiceOf({ ...week, to: '2026-11-25' }, TODAY)
    expect(typed.quick).toBe('')
    expect(filterOf(typed, '2026-12-01')).toMatchObject({ from: '2026-11-20', to: '2026-11-25' })
  })
})

test('[spec 2] a 依頼番号 is looked for in all days, and the days come back without it', () => {
  const choice = { ...DEFAULT_CHOICE, requestCode: 'R26' }
  expect(filterOf(choice, TODAY)).toMatchObject({ from: '', to: '', requestCode: 'R26' })
  for (const nothing of [' ', '\u200B\u2060'])
    expect(filterOf({ ...choice, requestCode: nothing }, TODAY)).toMatchObject({ from: TODAY, to: TODAY })
})

describe('[PL4] the CRM is asked where the device keeps less', () => {
  test.each([
    ['the next seven days', {}, false],
    ['yesterday to two weeks ahead', { from: '2026-11-19', to: '2026-12-04' }, false],
    ['the day before yesterday', { from: '2026-11-18' }, true],
    ['more than two weeks ahead', { to: '2026-12-05' }, true],
    ['no first day', { from: '' }, true],
    ['no last day', { to: '' }, true],
    ['a request code', { requestCode: 'R26' }, true],
    ['a place', { locationName: '東雲' }, true],
    ['a customer', { customerName: '管理' }, true],
    ['only spaces', { locationName: '  ' }, false],
    ['only what nobody sees', { locationName: '\u200B', customerName: '\u00AD\u3000' }, false],
    ['a kind', { orderFlags: ['1'], emergencyOnly: true }, false],
  ])('%s', (_, over, expected) => {
    expect(goesBeyondDevice({ ...week, ...over }, TODAY)).toBe(expected)
  })
})

test.each([
  [{ from: '2026-11-20', to: '2026-11-26' }, '11/20（金）〜11/26（木）'],
  [{ from: '2026-11-21', to: '2026-11-21' }, '11/21（土）'],
  [{ from: '2026-11-20', to: '' }, '11/20（金）〜'],
  [{ from: '', to: '' }, ''],
])('[look] the range %o reads %s', (days, text) => {
  expect(rangeText(days, TODAY)).toBe(text)
})

test('the same question, whatever the order of its parts', () => {
  const { from, ...rest } = week
  expect(isSameJson(week, { ...rest, from })).toBe(true)
  expect(isSameJson(week, { ...week, orderFlags: ['1'] })).toBe(false)
})

test.each([null, '', '{', '{"quick":"week"}', '[]'])(
  '[house 9] a kept filter that is none (%s) is the usual one',
  (text) => {
    expect(readChoice(text)).toEqual(DEFAULT_CHOICE)
  },
)
