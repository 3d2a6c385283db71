/** 10,000 image files with a few bytes changed: no throw, and nothing decoded whose header says more than the limit. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readExif } from '#lib/exif.ts'
import { preparePhoto, thumbnail, type Images } from '#lib/image.ts'
import { imageParts } from '#lib/image-parts.ts'
import { imageSize, pixelsIn } from '#lib/image-size.ts'
import {
  ascii,
  exifSegment,
  fakeImages,
  photoFile,
  jpegFile,
  jpegSegment,
  pngChunk,
  pngFile,
} from '../../support/image-files.ts'

const FILES = 10_000
const MAX_PIXELS = 50_000_000
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
const mutated = fc
  .tuple(
    fc.constantFrom(...seeds),
    fc.array(fc.tuple(fc.nat(400), fc.oneof(fc.nat(255), fc.constantFrom(0, 0xff, 0xc0, 0xd8, 0xda))), {
      maxLength: 6,
    }),
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
  const decode: Images['decode'] = (photo) => {
    const size = imageSize(photo.bytes)
    const pixels = size ? pixelsIn(size) : Infinity
    if (pixels > MAX_PIXELS) tooLarge.push(pixels)
    return images.decode(photo)
  }
  return { images: { ...images, decode }, seen, tooLarge }
}

/** The picture, and at most which way up it is. */
function isBare(bytes: ArrayBuffer, orientation: number): boolean {
  const parts = imageParts(bytes)
  const told = parts?.filter(({ isKept }) => !isKept) ?? []
  return parts !== null && told.length <= (orientation === 1 ? 0 : 1)
}

test(`[0044] ${FILES} files`, async () => {
  const { images, seen, tooLarge } = bounded()
  const options = { keepOriginal: true, maxPixels: MAX_PIXELS, now: Date.parse('2026-11-20T12:00:00+09:00') }
  const odd: Uint8Array[] = []
  const results = { photo: 0, refused: 0 }
  for (const file of fc.sample(mutated, { numRuns: FILES, seed: 12 })) {
    const prepared = await preparePhoto(photoFile(file), images, readExif, options)
    results[prepared.kind] += 1
    // what goes out is whole, and has nothing in it but the picture
    if (prepared.kind === 'photo' && !isBare(prepared.bytes, prepared.exif.orientation)) odd.push(file)
    await thumbnail(photoFile(file), images, MAX_PIXELS)
  }
  expect([tooLarge, odd]).toEqual([[], []])
  expect(seen.held).toBe(0)
  expect(Math.min(results.photo, results.refused)).toBeGreaterThan(1_000)
}, 30_000)
