import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readExif, type RawExif } from '#lib/exif.ts'
import { exifFacts, takenWhen } from '#lib/photo-facts.ts'
import { exifSegment, jpegFile } from '../../support/image-files.ts'

const NOW = Date.parse('2026-11-20T12:00:00+09:00')
const at = (iso: string) => Date.parse(iso)

describe('[0044] what EXIF says', () => {
  test.each([
    ['without a zone: in Japan', '2026:11:20 10:15:00', undefined, at('2026-11-20T10:15:00+09:00')],
    ['with its zone', '2026:11:19 20:15:00', '-05:00', at('2026-11-20T10:15:00+09:00')],
    ['with a zone that is none', '2026:11:20 10:15:00', '+99:99', at('2026-11-20T10:15:00+09:00')],
    ['a clock a little ahead', '2026:11:20 12:03:00', undefined, NOW],
    ['the future', '2026:11:20 12:06:00', undefined, null],
    ['zeros', '0000:00:00 00:00:00', undefined, null],
    ['blanks', '    :  :     :  :  ', undefined, null],
    ['a day that there is not', '2026:02:30 10:00:00', undefined, null],
    ['an hour that there is not', '2026:11:20 24:30:00', undefined, null],
    ['a clock that was never set', '1980:01:01 00:00:00', undefined, null],
    ['a clock that was set to its first day', '2000:01:01 00:00:00', undefined, null],
    ['an epoch', '1970:01:01 09:00:00', undefined, null],
  ])('%s', (_, dateTime, offset, takenMs) => {
    const file = jpegFile({ segments: [exifSegment({ dateTime, ...(offset && { offset }) })] })
    expect(exifFacts(readExif(file.buffer), NOW).takenMs).toBe(takenMs)
  })

  test.each([
    ['in Tokyo', [35.6491, 139.8083], '35.649100,139.808300'],
    ['south and west', [-33.5, -70.25], '-33.500000,-70.250000'],
    ['a receiver that found nothing', [0, 0], ''],
    ['a latitude there is not', [95, 139], ''],
    ['a longitude there is not', [35, 181], ''],
  ] as const)('a place %s', (_, place, text) => {
    const file = jpegFile({ segments: [exifSegment({ place })] })
    expect(exifFacts(readExif(file.buffer), NOW).place).toBe(text)
  })

  test('whatever stands there: nothing later than now, no place that is none, no way up but eight', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.constant(undefined), fc.anything())
    const raw: fc.Arbitrary<RawExif> = fc.record({
      dateTime: fc.oneof(value, fc.stringMatching(/^\d{4}:\d\d:\d\d \d\d:\d\d:\d\d$/)),
      offset: fc.oneof(value, fc.stringMatching(/^[+-]\d\d:\d\d$/)),
      latitude: value,
      longitude: value,
      orientation: value,
    })
    fc.assert(
      fc.property(raw, (each) => {
        const { takenMs, place, orientation } = exifFacts(each, NOW)
        expect(takenMs === null || (takenMs <= NOW && takenMs > at('2000-01-01T00:00:00Z'))).toBe(true)
        expect(place).toMatch(/^$|^-?\d{1,2}\.\d{6},-?\d{1,3}\.\d{6}$/)
        expect([1, 2, 3, 4, 5, 6, 7, 8]).toContain(orientation)
      }),
      { numRuns: 1_000 },
    )
  })
})

test.each([
  ['EXIF', NOW - 1, NOW - 5_000_000, { ms: NOW - 1, from: 'exif' }],
  ['an older file', null, NOW - 60_001, { ms: NOW - 60_001, from: 'file' }],
  ['a file that was just written', null, NOW - 60_000, { ms: NOW, from: 'clock' }],
  ['a file from the future', null, NOW + 1_000_000, { ms: NOW, from: 'clock' }],
  ['a file of no time', null, 0, { ms: NOW, from: 'clock' }],
])('[0044] taken when: %s', (_, takenMs, lastModified, taken) => {
  expect(takenWhen({ takenMs }, lastModified, NOW)).toEqual(taken)
})
