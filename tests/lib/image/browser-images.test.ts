import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { browserImages } from '#lib/image/browser-images.ts'
import { READ_LIMIT_MS } from '#lib/image/read-in-time.ts'

describe('the browser draws', () => {
  afterEach(() => vi.unstubAllGlobals())
  /** A canvas's context that draws nothing, and says how opaque it is. */
  const context = (alpha = 255, drawImage: (...args: unknown[]) => void = () => undefined) => ({
    drawImage,
    fillRect: () => undefined,
    setTransform: () => undefined,
    resetTransform: () => undefined,
    getImageData: () => ({ data: [0, 0, 0, alpha] }),
  })
  const bitmap = { width: 10, height: 5, close: () => undefined } as ImageBitmap
  const drawn = async () =>
    new TextDecoder().decode(
      await browserImages.encode(browserImages.draw(bitmap, { width: 4, height: 2 }, 1), 0.8),
    )

  const photo = {
    file: new Blob(['file']),
    bytes: () => new TextEncoder().encode('bytes').buffer,
    size: { width: 10, height: 5 },
    reduced: undefined,
  }
  /** What is decoded, as text, and how. */
  function decoding(answer: (text: string) => Promise<ImageBitmap>) {
    const decoded: string[] = []
    vi.stubGlobal('createImageBitmap', async (blob: Blob, options: ImageBitmapOptions) => {
      decoded.push(`${await blob.text()} ${options.imageOrientation}`)
      return answer(await blob.text())
    })
    return decoded
  }

  test('upright: the orientation is taken from the image; the file itself is decoded, of which the browser keeps no copy', async () => {
    const decoded = decoding(async () => bitmap)
    expect(await browserImages.decode(photo)).toBe(bitmap)
    expect(decoded).toEqual(['file from-image'])
  })

  test.each([
    ['cannot be read twice', () => Promise.reject(new Error('NotReadableError'))],
    ['does not answer when it is read again', () => new Promise<never>(() => undefined)],
  ])('a file that %s is decoded from what was read of it', async (_, again) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const decoded = decoding(async (text) => (text === 'file' ? again() : bitmap))
    const reading = browserImages.decode(photo)
    await vi.advanceTimersByTimeAsync(READ_LIMIT_MS)
    expect(await reading).toBe(bitmap)
    expect(decoded).toEqual(['file from-image', 'bytes from-image'])
  })

  test('on an OffscreenCanvas, else on a canvas', async () => {
    const drawImage = vi.fn<(...args: unknown[]) => void>()
    const offscreen = (hasContext: boolean) =>
      class {
        getContext = () => (hasContext ? context(255, drawImage) : null)
        convertToBlob = async () => new Blob(['offscreen'], { type: 'image/jpeg' })
      }
    vi.stubGlobal('OffscreenCanvas', offscreen(true))
    expect(await drawn()).toBe('offscreen')
    expect(drawImage).toHaveBeenCalledWith(bitmap, 0, 0, 4, 2)
    vi.stubGlobal('OffscreenCanvas', offscreen(false))
    vi.stubGlobal('document', {
      createElement: () => ({
        getContext: () => context(255, drawImage),
        toBlob: (take: BlobCallback) => take(new Blob(['canvas'], { type: 'image/jpeg' })),
      }),
    })
    expect(await drawn()).toBe('canvas')
  })

  test('what it drew or decoded takes no memory after it is closed', () => {
    class Canvas {
      width = 4
      height = 2
      getContext = () => context()
    }
    vi.stubGlobal('OffscreenCanvas', Canvas)
    const canvas = browserImages.draw(bitmap, { width: 4, height: 2 }, 1) as OffscreenCanvas
    browserImages.close(canvas)
    expect([canvas.width, canvas.height]).toEqual([0, 0])
    const close = vi.spyOn(bitmap, 'close')
    browserImages.close(bitmap)
    expect(close).toHaveBeenCalledTimes(1)
  })

  test('[decisions/photos] a canvas that is empty without an error is one, and takes no memory', () => {
    const made: { width: number; height: number }[] = []
    vi.stubGlobal(
      'OffscreenCanvas',
      class {
        width = 4
        height = 2
        constructor() {
          made.push(this)
        }
        getContext = () => context(0)
      },
    )
    expect(() => browserImages.draw(bitmap, { width: 4, height: 2 }, 1)).toThrow('nothing was drawn')
    expect(made.map(({ width, height }) => [width, height])).toEqual([[0, 0]])
  })

  test('[decisions/photos] at a part of its size where the browser can, else resized', async () => {
    const reduced = { width: 5, height: 3 }
    const resized: unknown[] = []
    vi.stubGlobal('createImageBitmap', async (_: Blob, options: ImageBitmapOptions) => {
      resized.push([options.resizeWidth, options.resizeHeight])
      return bitmap
    })
    vi.stubGlobal('ImageDecoder', undefined)
    expect(await browserImages.decode({ ...photo, reduced })).toBe(bitmap)
    expect(resized).toEqual([[5, 3]])
    const frame = { close: () => undefined }
    const close = vi.fn<() => void>()
    const wanted: unknown[] = []
    vi.stubGlobal(
      'ImageDecoder',
      class {
        constructor({ desiredWidth, desiredHeight }: { desiredWidth: number; desiredHeight: number }) {
          wanted.push([desiredWidth, desiredHeight])
        }
        decode = async () => ({ image: frame })
        close = close
      },
    )
    expect(await browserImages.decode({ ...photo, reduced })).toBe(frame)
    expect([wanted, close.mock.calls.length, resized.length]).toEqual([[[5, 3]], 1, 1])
  })

  test('what is no JPEG in the end is an error', async () => {
    vi.stubGlobal(
      'OffscreenCanvas',
      class {
        getContext = () => context()
        convertToBlob = async () => new Blob(['png'], { type: 'image/png' })
      },
    )
    await expect(drawn()).rejects.toThrow('not a JPEG')
  })
})
