import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readExif, type RawExif } from '#lib/image/exif.ts'
import { exifFacts, takenWhen } from '#lib/image/photo-facts.ts'
import { exifSegment, exifTiff, jpegFile, pngChunk, pngFile } from '../../support/image-files.ts'

const NOW = Date.parse('2026-11-20T12:00:00+09:00')
const at = (iso: string) => Date.parse(iso)

describe('[decisions/photos] what EXIF says', () => {
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
    ['a second that there is not', '2026:11:20 10:15:60', undefined, null],
    ['midnight of the day before', '2026:11:19 24:00:00', undefined, null],
    // [P3] [P4] as phones and programs write it
    ['its zone inside', '2026:11:20 08:15:00+07:00', undefined, at('2026-11-20T08:15:00+07:00')],
    ['its zone inside, and another', '2026:11:20 08:15:00+07:00', '+09:00', at('2026-11-20T08:15:00+07:00')],
    ['Greenwich inside', '2026:11:20 01:15:00Z', undefined, at('2026-11-20T01:15:00Z')],
    ['dashes', '2026-11-20 10:15:00', undefined, at('2026-11-20T10:15:00+09:00')],
    ['slashes', '2026/11/20 10:15:00', undefined, at('2026-11-20T10:15:00+09:00')],
    ['ISO 8601', '2026-11-20T10:15:00.123+09:00', undefined, at('2026-11-20T10:15:00+09:00')],
    ['ISO 8601, Greenwich', '2026-11-20T01:15:00Z', undefined, at('2026-11-20T01:15:00Z')],
    ['parts of a second', '2026:11:20 10:15:00.987', undefined, at('2026-11-20T10:15:00+09:00')],
    ['no seconds', '2026:11:20 10:15', undefined, at('2026-11-20T10:15:00+09:00')],
    ['no seconds, its zone inside', '2026-11-20T08:15+07:00', undefined, at('2026-11-20T08:15:00+07:00')],
    ['an hour without its zero', '2026:11:20  9:15:00', undefined, at('2026-11-20T09:15:00+09:00')],
    ['a zone without a colon', '2026:11:20 08:15:00', '+0700', at('2026-11-20T08:15:00+07:00')],
    ['a zone of hours', '2026:11:20 08:15:00', '+7', at('2026-11-20T08:15:00+07:00')],
    ['a zone of blanks', '2026:11:20 10:15:00', '   :  ', at('2026-11-20T10:15:00+09:00')],
    ['ISO 8601 without separators', '20261120T101500', undefined, at('2026-11-20T10:15:00+09:00')],
    [
      'ISO 8601 without separators, its zone',
      '20261120T081500+0700',
      undefined,
      at('2026-11-20T08:15:00+07:00'),
    ],
    ['the name of a zone inside', '2026:11:20 01:15:00 UTC', undefined, at('2026-11-20T01:15:00Z')],
    ['Japan inside, and another', '2026:11:20 10:15:00 JST', '+07:00', at('2026-11-20T10:15:00+09:00')],
    ['UTC and hours', '2026:11:20 08:15:00', 'UTC+7', at('2026-11-20T08:15:00+07:00')],
    ['the name of another zone', '2026:11:20 08:15:00 PST', undefined, null],
    ['the other half of the day', '2026:11:20 08:15:00 PM', undefined, null],
    ['more behind it', '2026:11:20 10:15:00 by hand', undefined, null],
  ])('%s', (_, dateTime, offset, takenMs) => {
    const file = jpegFile({ segments: [exifSegment({ dateTime, ...(offset && { offset }) })] })
    expect(exifFacts(readExif(file.buffer), NOW).takenMs).toBe(takenMs)
  })

  test.each([
    [
      'the zone of the other time',
      { dateTime: '2026:11:20 08:15:00', offsets: ['+07:00', '+09:00'] },
      '08:15:00+07:00',
    ],
    [
      'a zone that is none, and one',
      { dateTime: '2026:11:20 08:15:00', offset: '   :  ', offsets: ['', '+07:00'] },
      '08:15:00+07:00',
    ],
    [
      'CreateDate alone',
      { digitized: '2026:11:20 09:12:34', offsets: ['+08:00', '+09:00'] },
      '09:12:34+08:00',
    ],
    ['both', { dateTime: '2026:11:20 10:00:00', digitized: '2026:11:20 11:00:00' }, '10:00:00+09:00'],
    [
      'one that cannot be, and CreateDate',
      { dateTime: '2026:02:30 10:00:00', digitized: '2026:11:20 11:00:00' },
      '11:00:00+09:00',
    ],
    [
      'one of a clock that was never set, and CreateDate',
      { dateTime: '1980:01:01 00:00:00', digitized: '2026:11:20 11:00:00' },
      '11:00:00+09:00',
    ],
  ] as const)('[P4] of its times the first that can be: %s', (_, tags, time) => {
    const file = jpegFile({ segments: [exifSegment(tags)] })
    expect(exifFacts(readExif(file.buffer), NOW).takenMs).toBe(at(`2026-11-20T${time}`))
  })

  test.each([
    ['none', ['', ''], [35.6581, 139.7017], '35.658100,139.701700'],
    ['none, Okinawa', ['', ''], [24.45, 122.93], '24.450000,122.930000'],
    ['one of the two', ['N', ''], [35.6581, 139.7017], '35.658100,139.701700'],
    ['small ones', ['n', 'e'], [1.3, 103.8], '1.300000,103.800000'],
    ['others', ['?', '?'], [35.6581, 139.7017], '35.658100,139.701700'],
    ['none, and not in Japan', ['', ''], [48.85, 2.35], ''],
    ['south, and no other', ['S', ''], [35.6581, 139.7017], ''],
  ] as const)('[P6] a place with its letters %s', (_, refs, place, text) => {
    const file = jpegFile({ segments: [exifSegment({ place, refs })] })
    expect(exifFacts(readExif(file.buffer), NOW).place).toBe(text)
  })

  test.each([1, 3, 4, 7, 9])('[P2] the way up is a number, whatever type it has (%d)', (orientationType) => {
    const file = jpegFile({ segments: [exifSegment({ orientation: 6, orientationType })] })
    expect(exifFacts(readExif(file.buffer), NOW).orientation).toBe(6)
    const png = pngFile(4, 3, [pngChunk('eXIf', exifTiff({ orientation: 6, orientationType }))])
    expect(exifFacts(readExif(png.buffer), NOW).orientation).toBe(6)
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
    const zone = fc.oneof(value, fc.stringMatching(/^[+-]\d\d:?\d\d$/))
    const text = fc.oneof(
      value,
      fc.stringMatching(/^\d{4}[:/-]\d\d[:/-]\d\d[ T]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?$/),
    )
    const raw: fc.Arbitrary<RawExif> = fc.record({
      times: fc.array(fc.record({ text, zones: fc.array(zone) })),
      latitude: value,
      latitudeRef: fc.oneof(value, fc.constantFrom('N', 'S', ['N'])),
      longitude: value,
      longitudeRef: fc.oneof(value, fc.constantFrom('E', 'W', ['W'])),
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
])('[decisions/photos] taken when: %s', (_, takenMs, lastModified, taken) => {
  expect(takenWhen({ takenMs }, lastModified, NOW)).toEqual(taken)
})
