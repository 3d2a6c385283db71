import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { requestRowKey, requestWire } from '#schemas/resources/request.ts'

const least = { id: 'r1', requestCode: 'R26-1', workingDate: '2026-11-20', ttsOrder: {} }
const IN_TIME = '2026-11-20T08:56:00+09:00'
const parse = (change: object) => requestWire({ ...least, ...change })
const isRefused = (change: object) => parse(change) instanceof type.errors

test('[contract 4] a row with nothing but what it must have', () => {
  expect(requestWire(least)).toEqual(least)
})

test('[contract 2] unknown fields pass', () => {
  expect(isRefused({ somethingNew: { a: [1] } })).toBe(false)
  expect(isRefused({ ttsOrder: { somethingNew: true } })).toBe(false)
})

describe('[contract 2] what a reader takes', () => {
  test.each([
    [
      'codes as numbers',
      { safetyStatus: 3, workingDateType: 1 },
      { safetyStatus: '3', workingDateType: '1' },
    ],
    ['an id as a number', { id: 42 }, { id: '42' }],
    ['a count as text', { noteLocationAreaCount: '12' }, { noteLocationAreaCount: 12 }],
    [
      'a time in UTC',
      { workingStartTime: '2026-11-20T00:00:00Z' },
      { workingStartTime: '2026-11-20T09:00:00+09:00' },
    ],
    [
      'a reference',
      { inLocationContactChangeRequest: { id: 9 } },
      { inLocationContactChangeRequest: { id: '9' } },
    ],
    ['the flag as a number', { ttsOrder: { emergencyFlag: 1 } }, { ttsOrder: { emergencyFlag: '1' } }],
  ])('%s', (_, sent, read) => expect(parse(sent)).toMatchObject(read))

  test.each([
    'quickReport',
    'inLocationContact',
    'outLocationContactChangeRequest',
    'safety',
    'goods',
    'device',
    'underPitSurvey',
    'noteLocationAreaCount',
    'workingStartTime',
    'notificationDistributionDate',
    'situation',
  ])('%s is null', (field) => expect(isRefused({ [field]: null })).toBe(false))

  test.each(['locationArea', 'customer', 'salesMearge', 'orderFlag'])('ttsOrder.%s is null', (field) =>
    expect(isRefused({ ttsOrder: { [field]: null } })).toBe(false),
  )
})

describe('[PL2] a malformed row is refused', () => {
  test.each([
    ['no id', { id: undefined }],
    ['an empty id', { id: '' }],
    ['an id that is too long', { id: 'x'.repeat(65) }],
    ['no code', { requestCode: null }],
    ['no working day', { workingDate: null }],
    ['a day that does not exist', { workingDate: '2026-02-30' }],
    ['a time without an offset', { workingStartTime: '2026-11-20T09:00:00' }],
    ['a time that does not exist', { workingEndTime: '2026-02-30T09:00:00+09:00' }],
    ['no order', { ttsOrder: null }],
    ['details that are no list', { goods: {} }],
    ['a safety measure without its id', { safety: [{ safetyType: '1' }] }],
    ['a report without its id that says when somebody came', { quickReport: { id: null, inTime: IN_TIME } }],
    ['a report without its id that says what was done', { quickReport: { type: '1' } }],
    ['a device whose id is no id', { device: [{ deviceId: {} }] }],
    ['a location whose id is too long', { ttsOrder: { locationArea: { id: 'x'.repeat(65) } } }],
    ['a count that is no number', { noteLocationAreaCount: 'many' }],
    ['a text that is an object', { situation: { text: 'x' } }],
  ])('%s', (_, change) => expect(isRefused(change)).toBe(true))

  test.each([null, 'row', 5, []])('%j instead of a row', (row) => {
    expect(requestWire(row)).toBeInstanceOf(type.errors)
  })
})

test('[PL1] the key of a malformed row can still be told, or not', () => {
  expect(requestRowKey({ id: 7, workingDate: '2026-11-20', ttsOrder: null })).toMatchObject({ id: '7' })
  expect(requestRowKey({ id: 'r1', workingDate: '2026-02-30' })).toBeInstanceOf(type.errors)
  expect(requestRowKey({ workingDate: '2026-11-20' })).toBeInstanceOf(type.errors)
  expect(requestRowKey(null)).toBeInstanceOf(type.errors)
})
