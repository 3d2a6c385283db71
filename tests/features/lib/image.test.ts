import { afterEach, describe, expect, test, vi } from 'vitest'
import { browserImages, fitting, preparePhoto, type Bitmap, type Images } from '#lib/image.ts'

test.each([
  [4032, 3024, 2048, 2048, 1536],
  [3024, 4032, 2048, 1536, 2048],
  [800, 600, 2048, 800, 600],
  [10_000, 1, 192, 192, 1],
])('%d × %d fits into %d as %d × %d', (width, height, edge, w, h) => {
  expect(fitting({ width, height }, edge)).toEqual({ width: w, height: h })
})

const original = new ArrayBuffer(1_000)

/** Draws a picture of as many bytes as the test says. */
function fakeImages(
  size: { width: number; height: number },
  bytes = (width: number) => Math.round(width / 10),
) {
  const drawn: string[] = []
  let closed = 0
  const images: Images = {
    decode: async () => ({ ...size, close: () => void (closed += 1) }) satisfies Bitmap,
    async jpeg(_, width, height) {
      drawn.push(`${width}x${height}`)
      return new ArrayBuffer(bytes(width))
    },
  }
  return { images, drawn, closed: () => closed }
}

describe('a photo is prepared', () => {
  test('a large one is reduced, with a thumbnail', async () => {
    const { images, drawn, closed } = fakeImages({ width: 4032, height: 3024 })
    const { bytes, thumb } = await preparePhoto(original, images)
    expect(drawn).toEqual(['2048x1536', '192x144'])
    expect([bytes.byteLength, thumb?.byteLength, closed()]).toEqual([205, 19, 1])
  })

  test('[設定] sent as it was taken, it only gets its thumbnail', async () => {
    const { images, drawn } = fakeImages({ width: 4032, height: 3024 })
    const { bytes, thumb } = await preparePhoto(original, images, true)
    expect(bytes).toBe(original)
    expect([drawn, thumb?.byteLength]).toEqual([['192x144'], 19])
  })

  test('a small one is kept as it is', async () => {
    const { images, drawn } = fakeImages({ width: 1024, height: 768 })
    expect((await preparePhoto(original, images)).bytes).toBe(original)
    expect(drawn).toEqual(['192x144'])
  })

  test('one that would become larger is kept as it is', async () => {
    const { images } = fakeImages({ width: 4032, height: 3024 }, () => 5_000)
    expect((await preparePhoto(original, images)).bytes).toBe(original)
  })

  test('what the browser cannot decode or draw is kept as it is', async () => {
    const { images } = fakeImages({ width: 4032, height: 3024 })
    const broken = async () => {
      throw new Error('no')
    }
    expect(await preparePhoto(original, { ...images, decode: broken })).toEqual({
      bytes: original,
      thumb: undefined,
    })
    expect(await preparePhoto(original, { ...images, jpeg: broken })).toEqual({
      bytes: original,
      thumb: undefined,
    })
  })
})

describe('the browser draws', () => {
  afterEach(() => vi.unstubAllGlobals())
  const bitmap = { width: 10, height: 5, close: () => undefined } as ImageBitmap

  test('upright: the orientation is taken from the image', async () => {
    const decode = vi.fn<() => Promise<ImageBitmap>>(async () => bitmap)
    vi.stubGlobal('createImageBitmap', decode)
    await browserImages.decode(original)
    expect(decode).toHaveBeenCalledWith(expect.any(Blob), { imageOrientation: 'from-image' })
  })

  test('on an OffscreenCanvas, else on a canvas', async () => {
    const drawImage = vi.fn<(...args: unknown[]) => void>()
    const offscreen = (hasContext: boolean) =>
      class {
        getContext = () => (hasContext ? { drawImage, fillRect: () => undefined } : null)
        convertToBlob = async () => new Blob(['offscreen'], { type: 'image/jpeg' })
      }
    vi.stubGlobal('OffscreenCanvas', offscreen(true))
    expect(new TextDecoder().decode(await browserImages.jpeg(bitmap, 4, 2, 0.8))).toBe('offscreen')
    expect(drawImage).toHaveBeenCalledWith(bitmap, 0, 0, 4, 2)
    vi.stubGlobal('OffscreenCanvas', offscreen(false))
    vi.stubGlobal('document', {
      createElement: () => ({
        getContext: () => ({ drawImage, fillRect: () => undefined }),
        toBlob: (take: BlobCallback) => take(new Blob(['canvas'], { type: 'image/jpeg' })),
      }),
    })
    expect(new TextDecoder().decode(await browserImages.jpeg(bitmap, 4, 2, 0.8))).toBe('canvas')
  })

  test('what is no JPEG in the end is an error', async () => {
    vi.stubGlobal(
      'OffscreenCanvas',
      class {
        getContext = () => ({ drawImage: () => undefined, fillRect: () => undefined })
        convertToBlob = async () => new Blob(['png'], { type: 'image/png' })
      },
    )
    await expect(browserImages.jpeg(bitmap, 4, 2, 0.8)).rejects.toThrow('not a JPEG')
  })
})
