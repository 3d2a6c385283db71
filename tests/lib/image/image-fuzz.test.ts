/** Image files with a few bytes changed, or their parts in another order: no throw, nothing too large is decoded, and nothing of the owner is sent. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readExif } from '#lib/image/exif.ts'
import { preparePhoto, thumbnail } from '#lib/image/image.ts'
import { imageParts } from '#lib/image/image-parts.ts'
import { imageSize, pixelsIn } from '#lib/image/image-size.ts'
import {
  ascii,
  exifSegment,
  exifTiff,
  fakeImages,
  photoFile,
  jpegFile,
  jpegSegment,
  pngChunk,
  pngFile,
} from '../../support/image-files.ts'

const FILES = 10_000
const LIMITS = { maxPixels: 110_000_000, maxWhole: 50_000_000 }
const OWNER = 'OHNISHI SERIAL-0042'
const latin1 = new TextDecoder('latin1')
const box = (name: string, body: readonly number[]) => [0, 0, 0, body.length + 8, ...ascii(name), ...body]

const heic = Uint8Array.from([
  ...box('ftyp', [...ascii('heic'), 0, 0, 0, 0, ...ascii('mif1')]),
  ...box('meta', [
    ...[0, 0, 0, 0],
    ...box('pitm', [0, 0, 0, 0, 0, 1]),
    ...box('iprp', [
      ...box('ipco', box('ispe', [0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 12, 0])),
      ...box('ipma', [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1]),
    ]),
  ]),
])
const webp = Uint8Array.from([
  ...ascii('RIFF'),
  ...[22, 0, 0, 0],
  ...ascii('WEBPVP8X'),
  ...[10, 0, 0, 0, 0, 0, 0, 0, 0xff, 0x0f, 0, 0xff, 0x0b, 0],
])
const seeds = [
  jpegFile({
    width: 4032,
    height: 3024,
    segments: [exifSegment({ dateTime: '2026:11:20 10:15:00', orientation: 6, place: [35, 139] })],
  }),
  jpegFile({
    segments: [
      jpegSegment(0xe2, [...ascii('ICC_PROFILE\0'), 1, 1]),
      jpegSegment(0xfe, ascii('made by hand')),
    ],
    tail: [1, 2, 3],
  }),
  pngFile(1920, 1080, [pngChunk('tEXt', ascii('Author'))]),
  heic,
  webp,
]

test('the sizes of the files as they are', () => {
  expect(seeds.map((file) => imageSize(file.buffer))).toEqual([
    { type: 'jpeg', width: 4032, height: 3024 },
    { type: 'jpeg', width: 4, height: 3 },
    { type: 'png', width: 1920, height: 1080 },
    { type: 'heic', width: 4096, height: 3072 },
    { type: 'webp', width: 4096, height: 3072 },
  ])
})

/** A file with some bytes set, and perhaps cut off. */
const damaged = (files: fc.Arbitrary<Uint8Array<ArrayBuffer>>) =>
  fc
    .tuple(
      files,
      fc.array(
        fc.tuple(
          fc.nat(400),
          fc.oneof(fc.nat(255), fc.constantFrom(0, 0xff, 0xc0, 0xc4, 0xd8, 0xda, 0xe0, 0xe2)),
        ),
        { maxLength: 6 },
      ),
      fc.option(fc.nat(400), { freq: 6 }),
    )
    .map(([seed, changes, length]) => {
      const file = seed.slice(0, length ?? seed.length)
      for (const [place, byte] of changes) if (place < file.length) file[place] = byte
      return file
    })

/** A browser that says when it is given too much. */
function bounded() {
  const { images, seen } = fakeImages()
  const tooLarge: number[] = []
  const decode: (typeof images)['decode'] = (picture) => {
    const size = imageSize(picture.bytes())
    const pixels = size ? pixelsIn(size) : Infinity
    const most = size?.type === 'jpeg' ? LIMITS.maxPixels : LIMITS.maxWhole
    if (pixels > most || pixels !== pixelsIn(picture.size)) tooLarge.push(pixels)
    return images.decode(picture)
  }
  return { images: { ...images, decode }, seen, tooLarge }
}

/** The picture from its first byte to its last, and at most which way up it is. */
function isBare(bytes: ArrayBuffer, orientation: number): boolean {
  const { parts, isCut } = imageParts(bytes) ?? { parts: [], isCut: true }
  const told = parts.filter(({ isIncluded }) => !isIncluded)
  const length = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  return !isCut && length === bytes.byteLength && told.length <= (orientation === 1 ? 0 : 1)
}

const options = { keepOriginal: true, now: Date.parse('2026-11-20T12:00:00+09:00') }

/** @returns the files of which more is sent than the picture, what was given to the decoder that is too large, and counts */
async function sentOf(files: readonly Uint8Array<ArrayBuffer>[]) {
  const { images, seen, tooLarge } = bounded()
  const odd: string[] = []
  const results = { photo: 0, refused: 0 }
  for (const file of files) {
    const prepared = await preparePhoto(photoFile(file), images, readExif, options)
    results[prepared.kind] += 1
    if (prepared.kind === 'photo') {
      const isOwners = latin1.decode(prepared.bytes).includes(OWNER)
      if (isOwners || !isBare(prepared.bytes, prepared.exif.orientation))
        odd.push(`${JSON.stringify(latin1.decode(file))} as ${JSON.stringify(latin1.decode(prepared.bytes))}`)
    }
    await thumbnail(photoFile(file), images, readExif)
  }
  return { tooLarge, odd, results, held: seen.held }
}

test(`[decisions/photos] ${FILES} files`, async () => {
  const files = fc.sample(damaged(fc.constantFrom(...seeds)), { numRuns: FILES, seed: 12 })
  const { tooLarge, odd, results, held } = await sentOf(files)
  expect([tooLarge, odd, held]).toEqual([[], [], 0])
  expect(Math.min(results.photo, results.refused)).toBeGreaterThan(1_000)
}, 120_000)

test('[decisions/photos] parts in whatever order, and damaged: never more than the picture', async () => {
  const owned = ascii(OWNER)
  const segments = [
    exifSegment({
      owner: OWNER,
      orientation: 6,
      thumbnail: jpegFile({ segments: [jpegSegment(0xfe, owned)] }),
    }),
    exifSegment({ owner: OWNER, orientation: 3, orientationType: 4 }),
    ...[0xe0, 0xe2, 0xed, 0xee, 0xf0, 0xfe, 0xc0, 0xc4, 0xc8, 0xcc, 0xdb, 0xdc, 0xdd].map((marker) =>
      jpegSegment(marker, owned),
    ),
    jpegSegment(0xe0, [...ascii('JFIF\0'), ...owned]),
    jpegSegment(0xee, [...ascii('Adobe'), ...owned]),
    jpegSegment(0xc0, [8, 0, 3, 0, 4, 1, 1, 0x11, 0]),
    owned,
  ]
  const chunks = [
    ...['tEXt', 'iTXt', 'zTXt', 'eXIf', 'tIME', 'gAMA', 'sRGB', 'pHYs', 'quIK', 'acTL'].map((name) =>
      pngChunk(name, owned),
    ),
    pngChunk('eXIf', exifTiff({ owner: OWNER, orientation: 8 })),
    pngChunk('IDAT', [1, 2, 3]),
  ]
  const jpegs = fc.shuffledSubarray(segments).map((order) => jpegFile({ segments: order, tail: owned }))
  const pngs = fc
    .shuffledSubarray(chunks)
    .map((order) => Uint8Array.from([...pngFile(4, 3, order), ...owned]))
  const files = fc.sample(fc.oneof(jpegs, pngs, damaged(jpegs), damaged(pngs)), { numRuns: 3_000, seed: 126 })
  const { tooLarge, odd, results, held } = await sentOf(files)
  expect([tooLarge, odd, held]).toEqual([[], [], 0])
  expect(Math.min(results.photo, results.refused)).toBeGreaterThan(300)
}, 120_000)
