import { describe, expect, test } from 'vitest'
import {
  isLabelled,
  markedPhotoName,
  photoName,
  PHOTO_NAME_MAX,
  photoProblem,
  photoTypeOf,
  placeIn,
  takenIn,
  timestampFor,
  timestampIn,
  uniquePhotoName,
} from '#schemas/resources/photo-name.ts'

const STAMP = '20261120085600123'
const bytesOf = (...bytes: number[]) => new Uint8Array(bytes).buffer
const PNG = bytesOf(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0)
const JPEG = bytesOf(0xff, 0xd8, 0xff, 0xe0, 0)

describe('[spec 3] a name that carries position and timestamp is kept', () => {
  test.each([
    [`35.6581_139.7017_${STAMP}.jpg`, true],
    [`35.6581,139.7017_${STAMP}.jpeg`, true],
    [`${STAMP}_35.6581_139.7017.png`, true],
    [`ピット_-33.8_-151.2_${STAMP}.JPG`, true],
    [`35.6581_139.7017_${STAMP}.gif`, false],
    [`35.6581_139.7017_${STAMP.slice(1)}.jpg`, false],
    [`35.6581_139.7017_${STAMP}0.jpg`, false],
    [`95.6581_139.7017_${STAMP}.jpg`, false],
    [`35.6581_189.7017_${STAMP}.jpg`, false],
    [`135.6581_139.7017_${STAMP}.jpg`, false],
    [`139.7017_${STAMP}.jpg`, false],
    [`${STAMP}_IMG_0001.jpg`, false],
    ['IMG_0001.jpg', false],
  ])('%s: %s', (name, kept) => {
    expect(isLabelled(name)).toBe(kept)
    expect(/^-?\d+\.\d+,-?\d+\.\d+$/.test(placeIn(name))).toBe(kept)
    expect(
      photoName(name, '20260101000000000', /png$/i.test(name) ? 'image/png' : 'image/jpeg') === name,
    ).toBe(kept)
  })
})

describe('[spec 3] when and where, of which the file store has nothing but the name', () => {
  test.each([
    [`35.6581_139.7017_${STAMP}.jpg`, '35.6581,139.7017', '2026-11-20T08:56:00+09:00'],
    [`${STAMP}_-33.8,-151.2.png`, '-33.8,-151.2', '2026-11-20T08:56:00+09:00'],
    [`${STAMP}_IMG_0001.jpg`, '', '2026-11-20T08:56:00+09:00'],
    ['20260231085600123_a.jpg', '', ''],
    ['20261120256000123_a.jpg', '', ''],
    ['99999999999999999_a.jpg', '', ''],
    [`95.6581_139.7017_${STAMP}.jpg`, '', '2026-11-20T08:56:00+09:00'],
    ['IMG_0001.jpg', '', ''],
  ])('%s: %j, %j', (name, place, taken) => {
    expect(placeIn(name)).toBe(place)
    expect(takenIn(name)).toBe(taken)
  })
})

describe('[spec 3] any other is renamed with a timestamp prefix', () => {
  test.each([
    ['IMG_0001.jpg', 'image/jpeg', `${STAMP}_IMG_0001.jpg`],
    ['IMG_0001.JPEG', 'image/jpeg', `${STAMP}_IMG_0001.JPEG`],
    ['現場 1.png', 'image/png', `${STAMP}_現場 1.png`],
    ['現場.png', 'image/jpeg', `${STAMP}_現場.jpg`],
    ['image', 'image/jpeg', `${STAMP}_image.jpg`],
    ['v1.2', 'image/png', `${STAMP}_v1.2.png`],
    ['a/b\\c:"d"?.jpg', 'image/jpeg', `${STAMP}_a_b_c__d__.jpg`],
    ['か\u3099.jpg', 'image/jpeg', `${STAMP}_が.jpg`],
    ['A#1 50%  & B+C.jpg', 'image/jpeg', `${STAMP}_A_1 50_ _ B_C.jpg`],
    ['a\u202Egpj.exe\uD83D.jpg', 'image/jpeg', `${STAMP}_agpj.exe.jpg`],
  ] as const)('%s as %s → %s', (name, type, stored) => {
    expect(photoName(name, STAMP, type)).toBe(stored)
  })

  test.each([
    ['letters', 'a', /^\d{17}_a{97}\.jpeg$/],
    ['kanji of three bytes', '長', /^\d{17}_長{77}\.jpeg$/],
    ['kanji of four bytes', '𠮷', /^\d{17}_(?:𠮷){48}\.jpeg$/u],
  ])(
    '[spec 3] a long name of %s is cut at a character, and keeps its moment and its extension',
    (_, sign, cut) => {
      const name = photoName(`${sign.repeat(300)}.jpeg`, STAMP, 'image/jpeg')
      expect(name).toMatch(cut)
      const second = uniquePhotoName(name, [name])
      expect(second).toMatch(/^\d{17}_.*_2\.jpeg$/u)
      for (const each of [name, second]) {
        expect(each.length).toBeLessThanOrEqual(PHOTO_NAME_MAX)
        expect(new TextEncoder().encode(each).length).toBeLessThanOrEqual(255)
      }
    },
  )

  test('[spec 3] a long name that carries position and moment keeps both, also beside one of the same name', () => {
    const label = `35.6581_139.7017_${STAMP}.jpg`
    const name = photoName(`${'長'.repeat(120)}_${label}`, '', 'image/jpeg')
    expect(name).toMatch(new RegExp(`^長+${label}$`))
    const second = uniquePhotoName(name, [name])
    for (const each of [name, second, uniquePhotoName(label, [label])]) {
      expect([placeIn(each), timestampIn(each)]).toEqual(['35.6581,139.7017', STAMP])
      expect(new TextEncoder().encode(each).length).toBeLessThanOrEqual(255)
    }
    expect(second).not.toBe(name)
  })
})

test.each([
  [`${STAMP}_IMG_0001.jpg`, `${STAMP}_IMG_0001_marked.jpg`],
  [`${STAMP}_IMG_0001.JPEG`, `${STAMP}_IMG_0001_marked.JPEG`],
  [`${STAMP}_現場.png`, `${STAMP}_現場_marked.jpg`],
  [`35.6581_139.7017_${STAMP}.jpg`, `marked_35.6581_139.7017_${STAMP}.jpg`],
  [`${STAMP}_${'長'.repeat(77)}.jpg`, `${STAMP}_${'長'.repeat(75)}_marked.jpg`],
])('[spec 3][decisions/camera] the picture with marks of %s is %s', (name, marked) => {
  expect(markedPhotoName(name)).toBe(marked)
  expect(marked.length).toBeLessThanOrEqual(PHOTO_NAME_MAX)
  expect(new TextEncoder().encode(marked).length).toBeLessThanOrEqual(255)
  expect([placeIn(marked), timestampIn(marked)]).toEqual([placeIn(name), timestampIn(name)])
})

describe('[contract 4] two phones that take image.jpg of one record in one second', () => {
  const SECOND = '20261120085600000'
  const named = (key: string) => photoName('image.jpg', timestampFor('image.jpg', SECOND, key), 'image/jpeg')

  test('give it two names, which say that second', () => {
    const names = [
      named('6f1c5a0e-8c1b-4c59-9a58-0a4f2d7f6b11'),
      named('b3b6c9d4-2f0e-4c64-8f0b-6f4a3a2e9c55'),
    ]
    expect(new Set(names).size).toBe(2)
    for (const name of names) {
      expect(name).toMatch(/^20261120085600\d{3}_image\.jpg$/)
      expect(takenIn(name)).toBe('2026-11-20T08:56:00+09:00')
    }
  })

  test('of many phones few meet: the milliseconds are spread', () => {
    const names = Array.from({ length: 300 }, () => named(crypto.randomUUID()))
    expect(new Set(names).size).toBeGreaterThan(220)
  })

  test.each([
    ['a clock that tells milliseconds', 'image.jpg', STAMP],
    ['a name with a number', 'IMG_0042.jpg', SECOND],
  ])('%s: nothing is made up', (_, original, stamp) => {
    expect(timestampFor(original, stamp, 'any')).toBe(stamp)
  })
})

test.each([
  [`${STAMP}_a.jpg`, STAMP],
  [`35.1_139.1_${STAMP}.jpg`, STAMP],
  [`${STAMP}0_a.jpg`, ''],
  ['a.jpg', ''],
])('the time in %s', (name, time) => {
  expect(timestampIn(name)).toBe(time)
})

describe('[contract 4] a name is unique within its record', () => {
  test.each([
    ['a.jpg', [], 'a.jpg'],
    ['a.jpg', ['b.jpg'], 'a.jpg'],
    ['a.jpg', ['a.jpg'], 'a_2.jpg'],
    ['a.jpg', ['a.jpg', 'a_2.jpg'], 'a_3.jpg'],
    ['A.jpg', ['a.JPG'], 'A_2.jpg'],
    ['a', ['a'], 'a_2'],
    ['①.jpg', ['②.jpg'], '①_2.jpg'],
    ['A 1.jpg', ['A_1.jpg'], 'A 1_2.jpg'],
    ['ポンプ.jpg', ['ホ\u309Aンフ\u309A.jpg'], 'ポンプ_2.jpg'],
  ])('%s beside %j → %s', (name, taken, unique) => {
    expect(uniquePhotoName(name, taken)).toBe(unique)
  })
})

describe('[spec 5] what is taken', () => {
  test.each([
    ['a PNG', PNG, null],
    ['a JPEG', JPEG, null],
    ['a GIF', bytesOf(0x47, 0x49, 0x46), 'ec00015'],
    ['a file of three letters', bytesOf(0x61, 0x62, 0x63), 'ec00015'],
    // An empty file has no type. Reading it later shows that it is broken.
    ['nothing', bytesOf(), null],
    ['the beginning of a PNG', bytesOf(0x89, 0x50, 0x4e), null],
    ['the beginning of a JPEG', bytesOf(0xff, 0xd8), null],
  ] as const)('%s, by its content: %s', (_, head, problem) => {
    expect(photoProblem({ head, size: head.byteLength }, 10)).toBe(problem)
  })

  test('a megabyte is 1024 × 1024 bytes, the limit itself is taken', () => {
    const sized = (size: number) => photoProblem({ head: JPEG, size }, 1)
    expect(sized(1024 * 1024)).toBeNull()
    expect(sized(1024 * 1024 + 1)).toBe('ec00016')
  })

  test.each([
    [PNG, 'image/png'],
    [JPEG, 'image/jpeg'],
    [bytesOf(0x89, 0x50), null],
  ])('the first bytes tell the type %#', (bytes, type) => {
    expect(photoTypeOf(bytes)).toBe(type)
  })
})
