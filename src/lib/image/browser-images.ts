/**
 * Decodes and draws images with the browser's functions, on the page or in a worker. Draws on an OffscreenCanvas if
 * possible, otherwise on a canvas element.
 */
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

/**
 * Decodes a JPEG at a reduced size. This needs a tenth of the memory of `createImageBitmap`, because the full image
 * is never in memory.
 */
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

/** Returns the canvas transform that draws a picture with this EXIF orientation upright. */
function transformOf(
  orientation: number,
  width: number,
  height: number,
): [number, number, number, number, number, number] {
  switch (orientation) {
    case 2:
      return [-1, 0, 0, 1, width, 0]
    case 3:
      return [-1, 0, 0, -1, width, height]
    case 4:
      return [1, 0, 0, -1, 0, height]
    case 5:
      return [0, 1, 1, 0, 0, 0]
    case 6:
      return [0, 1, -1, 0, width, 0]
    case 7:
      return [0, -1, -1, 0, width, height]
    case 8:
      return [0, -1, 1, 0, 0, height]
    default:
      return [1, 0, 0, 1, 0, 0]
  }
}

/**
 * True if the canvas is empty: three sampled rows are transparent. A browser without enough memory leaves the canvas
 * empty and throws no error.
 */
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
