import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correctionOf, readingOf } from '#lib/time/crm-clock.ts'

const NOON = Date.parse('2026-11-20T12:00:00+09:00')
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('[spec 9] what an answer says of the clocks', () => {
  const answer = { date: NOON, isCached: false, tookMs: 1_000 }
  test.each([
    ['the same time', {}, NOON + 1_000, { offMs: 0, at: NOON + 1_000 }],
    ['a device a day ahead', {}, NOON + DAY + 1_000, { offMs: -DAY, at: NOON + DAY + 1_000 }],
    ['a device a day behind', {}, NOON - DAY + 1_000, { offMs: DAY, at: NOON - DAY + 1_000 }],
    ['no Date', { date: null }, NOON, null],
    ['from a cache', { isCached: true }, NOON, null],
    ['too long on its way', { tookMs: 120_000 }, NOON, null],
  ])('%s', (_, over, now, reading) => expect(readingOf({ ...answer, ...over }, now)).toEqual(reading))
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
        const reading = readingOf({ date: NOON, isCached: false, tookMs: ms }, began + ms)
        const corrected = began + ms + correctionOf(reading, began + ms)
        const truth = began + ms - offMs
        const limit = Math.abs(offMs) < 301_000 ? 301_000 : 1_001
        expect(Math.abs(corrected - truth)).toBeLessThanOrEqual(limit)
      }),
    )
  })
})
