/** Pictures of kinds that phones make: with something hanging on them, cut, and very large. */
import { describe, expect, test } from 'vitest'
import { preparePhoto } from '#lib/image/image.ts'
import { readExif } from '#lib/image/exif.ts'
import {
  ascii,
  exifSegment,
  fakeImages,
  jpegFile,
  jpegSegment,
  photoFile,
  pngChunk,
  pngFile,
} from '../../support/image-files.ts'

const options = { keepOriginal: false, now: Date.parse('2026-11-20T12:00:00+09:00') }
const page = ascii('<!DOCTYPE html><script>alert(1)</script>')

async function prepare(
  file: Uint8Array<ArrayBuffer>,
  over: Partial<typeof options> = {},
  fake = fakeImages(),
) {
  const prepared = await preparePhoto(photoFile(file), fake.images, readExif, { ...options, ...over })
  return { prepared, ...fake.seen }
}

async function photoOf(file: Uint8Array<ArrayBuffer>) {
  const { prepared } = await prepare(file)
  if (prepared.kind !== 'photo') throw new Error(prepared.why)
  return prepared
}

describe('[decisions/photos] what hangs on a picture is left, and the picture is taken', () => {
  const profile = (body: readonly number[]) => jpegSegment(0xe2, [...ascii('ICC_PROFILE\0'), ...body])
  test.each([
    ['a page in a comment', jpegFile({ segments: [jpegSegment(0xfe, page)] }), jpegFile()],
    ['a page in a colour profile', jpegFile({ segments: [profile(page)] }), jpegFile()],
    ['a page behind the end', jpegFile({ tail: page }), jpegFile()],
    ['a page in a text of a PNG', pngFile(4, 3, [pngChunk('tEXt', page)]), pngFile()],
    ['a page in a colour profile of a PNG', pngFile(4, 3, [pngChunk('iCCP', page)]), pngFile()],
    ['a film behind the end', jpegFile({ tail: [...ascii('....ftypmp42'), ...page] }), jpegFile()],
    ['what stands behind a PNG', Uint8Array.from([...pngFile(), ...page]), pngFile()],
    ['bytes between segments', jpegFile({ segments: [ascii('OHNISHI')] }), jpegFile()],
    [
      'a segment that says it is a table',
      jpegFile({ segments: [jpegSegment(0xdb, ascii('OHNISHI')), jpegSegment(0xdc, ascii('OHNISHI'))] }),
      jpegFile(),
    ],
    [
      'a small picture of its JFIF',
      jpegFile({ segments: [jpegSegment(0xe0, ascii('JFIF\0OHNISHI'))] }),
      jpegFile(),
    ],
  ])('%s', async (_, file, sent) => {
    expect(new Uint8Array((await photoOf(file)).bytes)).toEqual(sent)
  })

  test('the decoder is given the picture alone, closed by an end where it was cut', async () => {
    const given: Uint8Array[][] = []
    const fake = fakeImages()
    const { decode } = fake.images
    fake.images.decode = async (picture) => {
      given.push([new Uint8Array(await picture.file.arrayBuffer()), new Uint8Array(picture.bytes())])
      return decode(picture)
    }
    const exif = exifSegment({ owner: 'OHNISHI', orientation: 6 })
    await prepare(jpegFile({ segments: [exif], tail: page }), {}, fake)
    await prepare(jpegFile().slice(0, -2), {}, fake)
    expect(given).toEqual([
      [jpegFile(), jpegFile()],
      [jpegFile(), jpegFile()],
    ])
  })
})

describe('[decisions/photos] a large JPEG is decoded at a part of its size, and no canvas is too large', () => {
  test.each([
    ['two of a camera', 5_100, 5_000, false, ['5100x5000', '2048x2008', '192x188']],
    ['50 megapixels', 8_160, 6_144, false, ['4080x3072', '2048x1542', '192x145']],
    ['108 megapixels', 12_000, 9_000, false, ['3000x2250', '2048x1536', '192x144']],
    ['50 megapixels that keep their size', 8_160, 6_144, true, ['1020x768', '192x145']],
  ])('%s', async (_, width, height, keepOriginal, sizes) => {
    const fake = fakeImages()
    const { decode } = fake.images
    const decoded: string[] = []
    fake.images.decode = async (picture) => {
      const bitmap = await decode(picture)
      decoded.push(`${bitmap.width}x${bitmap.height}`)
      return bitmap
    }
    const file = jpegFile({ width, height, bytes: 5_000 })
    const { drawn } = await prepare(file, { keepOriginal }, fake)
    expect([...decoded, ...drawn]).toEqual(sizes)
  })

  test('cut, with its size to be kept: as large as a canvas may be', async () => {
    const { drawn } = await prepare(jpegFile({ width: 8_160, height: 6_144 }).slice(0, -2), {
      keepOriginal: true,
    })
    const [width = 0, height = 0] = (drawn[0] ?? '').split('x').map(Number)
    expect(width * height).toBeLessThanOrEqual(16_777_216)
    expect(width * height).toBeGreaterThan(16_700_000)
  })
})
