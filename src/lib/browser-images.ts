/** The browser's own decoding and drawing, on the page or in a worker: OffscreenCanvas where one can be drawn on, else a canvas. */
import type { Images } from './image.ts'
import { inTime } from './read-in-time.ts'

type Drawn = OffscreenCanvas | HTMLCanvasElement

export const browserImages: Images<ImageBitmap | Drawn> = {
  // of bytes the browser makes a copy, and keeps it until it collects
  decode: ({ file, bytes }) => inTime(upright(file)).catch(() => upright(new Blob([bytes]))),
  draw(picture, width, height) {
    const { canvas, context } = canvasOf(width, height)
    // a transparent PNG becomes white, not black
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, 0, 0, width, height)
    return canvas
  },
  async encode(picture, quality) {
    const blob = await jpegOf(picture, quality)
    if (blob.type !== 'image/jpeg') throw new Error('image: not a JPEG')
    return blob.arrayBuffer()
  },
  close(picture) {
    if ('close' in picture) picture.close()
    // a canvas keeps its pixels until it is collected
    else picture.width = picture.height = 0
  },
}

const upright = (photo: Blob) => createImageBitmap(photo, { imageOrientation: 'from-image' })

function canvasOf(width: number, height: number) {
  const offscreen = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(width, height)
  const own = offscreen?.getContext('2d')
  if (offscreen && own) return { canvas: offscreen, context: own }
  // older WebKit has OffscreenCanvas but no 2d context in it
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('image: no canvas')
  return { canvas, context }
}

async function jpegOf(picture: ImageBitmap | Drawn, quality: number): Promise<Blob> {
  if ('convertToBlob' in picture) return picture.convertToBlob({ type: 'image/jpeg', quality })
  if (!('toBlob' in picture)) throw new Error('image: not drawn')
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('image: not encoded')))
    picture.toBlob(take, 'image/jpeg', quality)
  })
}
