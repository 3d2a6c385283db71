import { describe, expect, test } from 'vitest'
import { embeddedThumb, fitting, preparePhoto, thumbnail } from '#lib/image/image.ts'
import { readExif } from '#lib/image/exif.ts'
import { exifFacts } from '#lib/image/photo-facts.ts'
import {
  ascii,
  exifSegment,
  fakeImages,
  jpegFile,
  jpegSegment,
  pngChunk,
  photoFile,
  pngFile,
} from '../../support/image-files.ts'

test.each([
  [4032, 3024, 2048, 2048, 1536],
  [3024, 4032, 2048, 1536, 2048],
  [800, 600, 2048, 800, 600],
  [10_000, 1, 192, 192, 1],
])('%d × %d fits into %d as %d × %d', (width, height, edge, w, h) => {
  expect(fitting({ width, height }, edge)).toEqual({ width: w, height: h })
})

const NOW = Date.parse('2026-11-20T12:00:00+09:00')
const options = { keepOriginal: false, now: NOW }
const LARGE = { width: 4032, height: 3024, bytes: 5_000 }
const noCanvas = () => {
  throw new Error('no canvas')
}
const text = (bytes: ArrayBuffer) => new TextDecoder('latin1').decode(bytes)

async function prepare(
  file: Uint8Array<ArrayBuffer>,
  over: Partial<typeof options> = {},
  fake = fakeImages(),
) {
  const prepared = await preparePhoto(photoFile(file), fake.images, readExif, { ...options, ...over })
  return { prepared, ...fake.seen }
}

const photoOf = async (...args: Parameters<typeof prepare>) => {
  const { prepared } = await prepare(...args)
  if (prepared.kind !== 'photo') throw new Error(prepared.why)
  return prepared
}

describe('a photo is prepared', () => {
  test('a large one is reduced, with a thumbnail', async () => {
    const { prepared, drawn, held } = await prepare(jpegFile(LARGE))
    expect(drawn).toEqual(['2048x1536', '192x144'])
    expect(prepared).toMatchObject({ kind: 'photo' })
    expect(held).toBe(0)
  })

  test('its pixels are given back once they are drawn, before anything is encoded; what was drawn, once it is encoded', async () => {
    const fake = fakeImages()
    const { draw, encode, close } = fake.images
    const log: string[] = []
    fake.images.draw = (picture, size, orientation) => {
      log.push(`draw ${picture.width} as ${size.width}`)
      return draw(picture, size, orientation)
    }
    fake.images.encode = async (picture, quality) => {
      log.push(`encode ${picture.width}`)
      const bytes = await encode(picture, quality)
      log.push(`encoded ${picture.width}`)
      return bytes
    }
    fake.images.close = (picture) => {
      log.push(`close ${picture.width}`)
      close(picture)
    }
    expect((await photoOf(jpegFile(LARGE), {}, fake)).thumb).toBeDefined()
    expect(log).toEqual([
      'draw 4032 as 2048',
      'draw 2048 as 192',
      'close 4032',
      'encode 192',
      'encoded 192',
      'close 192',
      'encode 2048',
      'encoded 2048',
      'close 2048',
    ])
  })

  test('what cannot be encoded is kept as it is, too', async () => {
    const fake = fakeImages()
    const file = jpegFile(LARGE)
    fake.images.encode = () => Promise.reject(new Error('no memory'))
    const photo = await photoOf(file, {}, fake)
    expect([new Uint8Array(photo.bytes), photo.thumb]).toEqual([file, undefined])
    expect(fake.seen.held).toBe(0)
  })

  test('[設定] sent as it was taken, it only gets its thumbnail', async () => {
    const { prepared, drawn } = await prepare(jpegFile(LARGE), { keepOriginal: true })
    expect(drawn).toEqual(['192x144'])
    expect(prepared.kind === 'photo' && new Uint8Array(prepared.bytes)).toEqual(jpegFile(LARGE))
  })

  test('a small one is kept as it is', async () => {
    const file = jpegFile({ width: 1024, height: 768 })
    expect(new Uint8Array((await photoOf(file)).bytes)).toEqual(file)
  })

  test('one that would become larger is kept as it is', async () => {
    const file = jpegFile(LARGE)
    expect(
      new Uint8Array(
        (
          await photoOf(
            file,
            {},
            fakeImages(() => 6_000),
          )
        ).bytes,
      ),
    ).toEqual(file)
  })

  test('what the browser cannot draw is kept as it is, without a thumbnail', async () => {
    const fake = fakeImages()
    const file = jpegFile(LARGE)
    fake.images.draw = noCanvas
    const photo = await photoOf(file, {}, fake)
    expect([new Uint8Array(photo.bytes), photo.thumb]).toEqual([file, undefined])
    expect(fake.seen.held).toBe(0)
  })
})

describe('[decisions/photos] what is no image, or too large a one, is refused', () => {
  test.each([
    ['a JPEG of 110 megapixels', jpegFile({ width: 11_000, height: 10_000, bytes: 200 }), 'photo'],
    ['a line more', jpegFile({ width: 11_000, height: 10_001, bytes: 200 }), 'pixels'],
    ['a PNG of 50 megapixels', pngFile(10_000, 5_000), 'photo'],
    ['a line more', pngFile(10_000, 5_001), 'pixels'],
    ['a PNG of 400 megapixels', pngFile(20_000, 20_000), 'pixels'],
  ])('%s: %s', async (_, file, result) => {
    const { prepared, decoded } = await prepare(file)
    expect(prepared.kind === 'photo' ? 'photo' : prepared.why).toBe(result)
    expect(decoded).toBe(result === 'photo' ? 1 : 0)
  })

  const page = ascii('<!DOCTYPE html><script>alert(1)</script>')
  test.each([
    ['a page that begins as a JPEG', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...page])],
    ['no size', Uint8Array.from([0xff, 0xd8, 0xff, 0xd9])],
    ['a size of nothing', jpegFile({ width: 0 })],
    ['a GIF', Uint8Array.from([...ascii('GIF89a'), 4, 0, 3, 0, 0, 0])],
    ['nothing', new Uint8Array()],
  ])('%s', async (_, file) => {
    const { prepared, decoded } = await prepare(file)
    expect(prepared).toEqual({ kind: 'refused', why: 'broken' })
    expect(decoded).toBe(0)
  })

  test('what cannot be decoded', async () => {
    const fake = fakeImages()
    fake.images.decode = () => Promise.reject(new Error('corrupt'))
    expect((await prepare(jpegFile(), {}, fake)).prepared).toEqual({ kind: 'refused', why: 'broken' })
  })

  test('a JPEG that was cut off is drawn anew, or refused where that cannot be', async () => {
    const cut = jpegFile().slice(0, -2)
    expect((await prepare(cut)).drawn[0]).toBe('4x3')
    const fake = fakeImages()
    fake.images.draw = noCanvas
    expect((await prepare(cut, {}, fake)).prepared.kind).toBe('refused')
  })

  test('a thumbnail of what came from the file store is bound in the same way', async () => {
    const { images, seen } = fakeImages()
    expect(await thumbnail(photoFile(pngFile(20_000, 20_000)), images, readExif)).toBeUndefined()
    expect(seen.decoded).toBe(0)
    expect(await thumbnail(photoFile(pngFile(400, 300)), images, readExif)).toBeDefined()
    expect([seen.drawn, seen.held]).toEqual([['192x144'], 0])
  })
})

describe('[decisions/photos] what is uploaded tells nothing of its owner', () => {
  const exif = exifSegment({
    dateTime: '2026:11:20 10:15:00',
    place: [35.6491, 139.8083],
    owner: 'OHNISHI SERIAL-0042',
    orientation: 6,
  })
  const xmp = jpegSegment(0xe1, ascii('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>OHNISHI</x:xmpmeta>'))
  const comment = jpegSegment(0xfe, ascii('OHNISHI'))

  test('a small JPEG: EXIF, XMP, comment and what hangs behind it are gone; which way up it is stays', async () => {
    const file = jpegFile({ segments: [exif, xmp, comment], tail: ascii('OHNISHI') })
    const { bytes, exif: facts } = await photoOf(file)
    expect(text(file.buffer)).toContain('OHNISHI')
    expect(text(bytes)).not.toMatch(/OHNISHI|0042|2026:11:20/)
    expect(facts).toMatchObject({ takenMs: Date.parse('2026-11-20T10:15:00+09:00'), orientation: 6 })
    expect(readExif(bytes)).toMatchObject({ orientation: 6 })
    expect(exifFacts(readExif(bytes), NOW).takenMs).toBeNull()
    expect((await photoOf(new Uint8Array(bytes))).bytes).toEqual(bytes)
  })

  test('a PNG loses its texts, and keeps its colours', async () => {
    const chunks = [
      pngChunk('gAMA', [0, 0, 1, 2]),
      pngChunk('tEXt', ascii('Author\0OHNISHI')),
      pngChunk('eXIf', ascii('OHNISHI')),
    ]
    expect(new Uint8Array((await photoOf(pngFile(4, 3, chunks))).bytes)).toEqual(
      pngFile(4, 3, chunks.slice(0, 1)),
    )
  })
})

describe('[decisions/photos] the small picture that a camera puts beside the photo', () => {
  const small = jpegFile({ width: 160, height: 120, bytes: 400 })
  const photo = (tags: Parameters<typeof exifSegment>[0]) =>
    jpegFile({ ...LARGE, segments: [exifSegment(tags)] })
  const found = (file: Uint8Array<ArrayBuffer>) => {
    const thumb = embeddedThumb(file.buffer, readExif)
    return thumb && new Uint8Array(thumb)
  }

  test('is found in the beginning of the file, whatever else its camera says', () => {
    const tags = { thumbnail: small, dateTime: '2026:11:20 10:15:00', place: [35.65, 139.81] as const }
    expect(found(photo({ ...tags, owner: 'OHNISHI' }).slice(0, 2_000))).toEqual(small)
  })

  test('stands upright as the photo does', () => {
    const thumb = found(photo({ thumbnail: small, orientation: 6 }))
    expect(readExif(thumb?.buffer ?? new ArrayBuffer())).toMatchObject({ orientation: 6 })
  })

  test('tells nothing of its own', () => {
    const own = [exifSegment({ owner: 'OHNISHI' }), jpegSegment(0xfe, ascii('<html>'))]
    const thumb = found(photo({ thumbnail: jpegFile({ segments: own }) }))
    expect(thumb).toEqual(jpegFile())
  })

  test.each([
    ['where there is none', photo({ dateTime: '2026:11:20 10:15:00' })],
    ['in a file without EXIF', jpegFile(LARGE)],
    ['in a PNG', pngFile()],
    ['where it is no JPEG', photo({ thumbnail: pngFile() })],
    [
      'where it says more pixels than any thumbnail has',
      photo({ thumbnail: jpegFile({ width: 8_000, height: 8_000 }) }),
    ],
    ['where it is not whole', photo({ thumbnail: small.slice(0, 100) })],
  ])('is none %s', (_, file) => {
    expect(found(file)).toBeUndefined()
  })
})
