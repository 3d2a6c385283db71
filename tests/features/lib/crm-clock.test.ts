import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correctionOf, readingOf } from '#lib/crm-clock.ts'

const CRM = 'Fri, 20 Nov 2026 03:00:00 GMT'
const NOON = Date.parse(CRM)
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('[spec 9] what an answer says of the clocks', () => {
  const answer = { date: CRM, age: null, began: NOON, ended: NOON + 1_000 }
  test.each([
    ['the same time', {}, { offMs: 0, at: NOON + 1_000 }],
    [
      'a device a day ahead',
      { began: NOON + DAY, ended: NOON + DAY + 1_000 },
      { offMs: -DAY, at: NOON + DAY + 1_000 },
    ],
    [
      'a device a day behind',
      { began: NOON - DAY, ended: NOON - DAY + 1_000 },
      { offMs: DAY, at: NOON - DAY + 1_000 },
    ],
    ['no Date', { date: null }, null],
    ['no date in Date', { date: 'soon' }, null],
    ['from a cache', { age: '30' }, null],
    ['the clock was set while it was on its way', { ended: NOON - DAY }, null],
    ['too long on its way', { ended: NOON + 120_000 }, null],
  ])('%s', (_, over, reading) => expect(readingOf({ ...answer, ...over })).toEqual(reading))
})

describe('[spec 9] the device is corrected where it is wrong', () => {
  test.each([
    ['nothing is known', null, NOON, 0],
    ['right', { offMs: 20_000, at: NOON }, NOON, 0],
    ['four minutes off', { offMs: -240_000, at: NOON }, NOON, 0],
    ['a day ahead', { offMs: -DAY, at: NOON + DAY }, NOON + DAY + HOUR, -DAY],
    ['a day behind', { offMs: DAY, at: NOON - DAY }, NOON - DAY, DAY],
    ['a shift later', { offMs: DAY, at: NOON }, NOON + 12 * HOUR, DAY],
    ['read too long ago', { offMs: DAY, at: NOON }, NOON + 12 * HOUR + 1, 0],
    ['set right meanwhile: a day back', { offMs: -DAY, at: NOON + DAY }, NOON, 0],
    ['set right meanwhile: a day forward', { offMs: DAY, at: NOON - DAY }, NOON, 0],
  ])('%s', (_, reading, now, correction) => expect(correctionOf(reading, now)).toBe(correction))

  test('to within a second of the CRM, however wrong it is and however long the answer took', () => {
    const off = fc.integer({ min: -400 * DAY, max: 400 * DAY })
    const took = fc.integer({ min: 0, max: 2_000 })
    fc.assert(
      fc.property(off, took, fc.integer({ min: 0, max: 999 }), (offMs, ms, part) => {
        // the CRM writes its Date at some moment between the two
        const written = NOON + part
        const began = written - Math.floor(ms / 2) + offMs
        const reading = readingOf({ date: CRM, age: null, began, ended: began + ms })
        const corrected = began + ms + correctionOf(reading, began + ms)
        const truth = began + ms - offMs
        const limit = Math.abs(offMs) < 301_000 ? 301_000 : 1_001
        expect(Math.abs(corrected - truth)).toBeLessThanOrEqual(limit)
      }),
    )
  })
})
