import { afterEach, describe, expect, test, vi } from 'vitest'
import { browserImages } from '#lib/browser-images.ts'

const original = new ArrayBuffer(1_000)

describe('the browser draws', () => {
  afterEach(() => vi.unstubAllGlobals())
  const bitmap = { width: 10, height: 5, close: () => undefined } as ImageBitmap
  const drawn = async () =>
    new TextDecoder().decode(await browserImages.encode(browserImages.draw(bitmap, 4, 2), 0.8))

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
    expect(await drawn()).toBe('offscreen')
    expect(drawImage).toHaveBeenCalledWith(bitmap, 0, 0, 4, 2)
    vi.stubGlobal('OffscreenCanvas', offscreen(false))
    vi.stubGlobal('document', {
      createElement: () => ({
        getContext: () => ({ drawImage, fillRect: () => undefined }),
        toBlob: (take: BlobCallback) => take(new Blob(['canvas'], { type: 'image/jpeg' })),
      }),
    })
    expect(await drawn()).toBe('canvas')
  })

  test('what is no JPEG in the end is an error', async () => {
    vi.stubGlobal(
      'OffscreenCanvas',
      class {
        getContext = () => ({ drawImage: () => undefined, fillRect: () => undefined })
        convertToBlob = async () => new Blob(['png'], { type: 'image/png' })
      },
    )
    await expect(drawn()).rejects.toThrow('not a JPEG')
  })
})
