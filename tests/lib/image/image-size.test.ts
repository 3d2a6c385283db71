// @vitest-environment happy-dom
/** How much of a file is looked at for its size: the library copies what it is given. */
import { beforeEach, expect, test, vi } from 'vitest'
import { imageSize } from '#lib/image/image-size.ts'
import { ascii, jpegFile, jpegSegment, pngFile } from '../../support/image-files.ts'

const given: number[] = []
vi.mock('image-dimensions', async (original) => {
  const real = await original<typeof import('image-dimensions')>()
  return {
    imageDimensionsFromData(bytes: Uint8Array) {
      given.push(bytes.length)
      return real.imageDimensionsFromData(bytes)
    },
  }
})

const MB = 1024 * 1024
const HEAD = 128 * 1024
const whole = (file: Uint8Array) => [...file, ...Array.from({ length: 2 * MB }, () => 0)]

beforeEach(() => void given.splice(0))

test.each([
  ['a JPEG', jpegFile({ width: 4032, height: 3024, bytes: 5 * MB }), 'jpeg'],
  ['a PNG', Uint8Array.from(whole(pngFile(4032, 3024))), 'png'],
])('[decisions/photos] %s tells it in its beginning: no more is copied', (_, file, type) => {
  expect(imageSize(file.buffer)).toEqual({ type, width: 4032, height: 3024 })
  expect(given).toEqual([HEAD])
})

test('[decisions/photos] a JPEG whose camera says more than that before it is looked at whole', () => {
  const note = jpegSegment(0xed, ascii('x'.repeat(65_000)))
  const file = jpegFile({ width: 4032, height: 3024, segments: [note, note, note] })
  expect(imageSize(file.buffer)).toEqual({ type: 'jpeg', width: 4032, height: 3024 })
  expect(given).toEqual([HEAD, file.length])
})
