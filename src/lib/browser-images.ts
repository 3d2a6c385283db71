/** The browser's own decoding and drawing, on the page or in a worker: OffscreenCanvas where there is one that encodes, else a canvas. */
import type { Images } from './image.ts'

export const browserImages: Images<ImageBitmap> = {
  decode: (bytes) => createImageBitmap(new Blob([bytes]), { imageOrientation: 'from-image' }),
  async jpeg(bitmap, width, height, quality) {
    // older WebKit has OffscreenCanvas but no 2d context in it
    const blob = await offscreen(bitmap, width, height, quality).catch(() =>
      onCanvas(bitmap, width, height, quality),
    )
    if (blob.type !== 'image/jpeg') throw new Error('image: not a JPEG')
    return blob.arrayBuffer()
  },
  close: (bitmap) => bitmap.close(),
}

async function offscreen(bitmap: ImageBitmap, width: number, height: number, quality: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  draw(canvas.getContext('2d'), bitmap, width, height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality })
}

async function onCanvas(bitmap: ImageBitmap, width: number, height: number, quality: number): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  draw(canvas.getContext('2d'), bitmap, width, height)
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('image: not encoded')))
    canvas.toBlob(take, 'image/jpeg', quality)
  })
}

type Context = Pick<
  CanvasRenderingContext2D,
  'drawImage' | 'fillRect' | 'fillStyle' | 'imageSmoothingQuality'
>

function draw(context: Context | null, bitmap: ImageBitmap, width: number, height: number) {
  if (!context) throw new Error('image: no canvas')
  // a transparent PNG becomes white, not black
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
}
