/** Decodes and draws with the browser's functions, on an OffscreenCanvas if possible, else on a canvas element. */
import type { Images, Picture, Size } from './image.ts'
import { withTimeLimit } from './read-in-time.ts'

type Drawn = OffscreenCanvas | HTMLCanvasElement

export const browserImages: Images<ImageBitmap | VideoFrame | Drawn> = {
  // Decodes the file and not its bytes, because a browser copies the bytes and frees the copies late.
  decode: ({ file, bytes, reduced }) =>
    withTimeLimit(decoded(file, reduced)).catch(() => decoded(new Blob([bytes()]), reduced)),
  draw(picture, { width, height }, orientation) {
    const { canvas, context } = canvasOf(width, height)
    const isOnItsSide = orientation > 4
    context.imageSmoothingQuality = 'high'
    context.setTransform(...transformOf(orientation, width, height))
    context.drawImage(picture, 0, 0, isOnItsSide ? height : width, isOnItsSide ? width : height)
    context.resetTransform()
    if (isBlank(context, width, height)) {
      canvas.width = canvas.height = 0
      throw new Error('image: nothing was drawn')
    }
    // A transparent PNG gets a white background, because JPEG would make it black.
    context.globalCompositeOperation = 'destination-over'
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
    return canvas
  },
  async encode(picture, quality) {
    const blob = await jpegOf(picture, quality)
    if (blob.type !== 'image/jpeg') throw new Error('image: not a JPEG')
    return blob.arrayBuffer()
  },
  close(picture) {
    if ('close' in picture) picture.close()
    // A size of 0 frees the pixels of a canvas at once.
    else picture.width = picture.height = 0
  },
}

async function decoded(photo: Blob, reduced: Picture['reduced']): Promise<ImageBitmap | VideoFrame> {
  if (!reduced) return createImageBitmap(photo, { imageOrientation: 'from-image' })
  if (typeof ImageDecoder !== 'undefined') return reducedFrame(photo, reduced)
  const { width, height } = reduced
  return createImageBitmap(photo, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' })
}

/** Decodes a JPEG at a reduced size with a tenth of the memory: the full image is never in memory. */
async function reducedFrame(photo: Blob, { width, height }: Size): Promise<VideoFrame> {
  const decoder = new ImageDecoder({
    data: photo.stream(),
    type: 'image/jpeg',
    desiredWidth: width,
    desiredHeight: height,
  })
  try {
    return (await decoder.decode()).image
  } finally {
    decoder.close()
  }
}

type Transform = [number, number, number, number, number, number]
/** Canvas transforms by EXIF orientation. The last two numbers are shares of width and height. */
const TRANSFORMS: Readonly<Record<number, Transform>> = {
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, 1, 1, 0, 0, 0],
  6: [0, 1, -1, 0, 1, 0],
  7: [0, -1, -1, 0, 1, 1],
  8: [0, -1, 1, 0, 0, 1],
}

/** Returns the canvas transform that draws a picture with this EXIF orientation upright. */
function transformOf(orientation: number, width: number, height: number): Transform {
  const [a, b, c, d, x, y] = TRANSFORMS[orientation] ?? [1, 0, 0, 1, 0, 0]
  return [a, b, c, d, x * width, y * height]
}

/** True if three sampled rows are transparent. Without memory, a browser leaves the canvas empty, silently. */
export const isBlank = (
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  width: number,
  height: number,
): boolean =>
  [0.25, 0.5, 0.75].every((part) =>
    context
      .getImageData(0, Math.floor(height * part), width, 1)
      .data.every((value, index) => index % 4 !== 3 || value === 0),
  )

function canvasOf(width: number, height: number) {
  const offscreen = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(width, height)
  const own = offscreen?.getContext('2d')
  if (offscreen && own) return { canvas: offscreen, context: own }
  // In old WebKit an OffscreenCanvas has no 2d context, so a canvas element is used.
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('image: no canvas')
  return { canvas, context }
}

async function jpegOf(picture: ImageBitmap | VideoFrame | Drawn, quality: number): Promise<Blob> {
  if ('convertToBlob' in picture) return picture.convertToBlob({ type: 'image/jpeg', quality })
  if (!('toBlob' in picture)) throw new Error('image: not drawn')
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('image: not encoded')))
    picture.toBlob(take, 'image/jpeg', quality)
  })
}
