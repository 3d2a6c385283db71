/**
 * A photo made smaller before it is kept: at most 2048 px on its long edge, as JPEG, upright (its EXIF orientation is
 * applied), and a thumbnail of 192 px. Where the browser cannot, the original is kept as it is: a photo is never lost
 * for being big.
 */

const PHOTO_LONG_EDGE_PX = 2048
const THUMB_LONG_EDGE_PX = 192
const QUALITY = 0.85

/** What a browser draws with. */
export interface Bitmap {
  width: number
  height: number
  close(): void
}

/** What this needs of the browser: `browserImages`, or a fake. */
export interface Images<B extends Bitmap = Bitmap> {
  /** Decoded upright. @throws where the browser cannot */
  decode(bytes: ArrayBuffer): Promise<B>
  /** Drawn at that size and encoded as JPEG. @throws where the browser cannot */
  jpeg(bitmap: B, width: number, height: number, quality: number): Promise<ArrayBuffer>
}

export interface PreparedPhoto {
  bytes: ArrayBuffer
  /** Undefined where the browser cannot draw. */
  thumb: ArrayBuffer | undefined
}

/** The size at which the long edge is at most `longEdge`; never larger than it is. */
export function fitting({ width, height }: { width: number; height: number }, longEdge: number) {
  const scale = Math.min(1, longEdge / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** @param keepOriginal the photo stays as it is, and only gets its thumbnail (写真を元のサイズで送信) */
export async function preparePhoto<B extends Bitmap>(
  original: ArrayBuffer,
  images: Images<B>,
  keepOriginal = false,
): Promise<PreparedPhoto> {
  const bitmap = await orNothing(() => images.decode(original))
  if (!bitmap) return { bytes: original, thumb: undefined }
  const drawn = (longEdge: number) => {
    const { width, height } = fitting(bitmap, longEdge)
    return orNothing(() => images.jpeg(bitmap, width, height, QUALITY))
  }
  try {
    const isLarge = Math.max(bitmap.width, bitmap.height) > PHOTO_LONG_EDGE_PX
    const reduced = isLarge && !keepOriginal ? await drawn(PHOTO_LONG_EDGE_PX) : undefined
    const isSmaller =
      reduced !== undefined && reduced.byteLength > 0 && reduced.byteLength < original.byteLength
    return { bytes: isSmaller ? reduced : original, thumb: await drawn(THUMB_LONG_EDGE_PX) }
  } finally {
    bitmap.close()
  }
}

async function orNothing<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch {
    return undefined
  }
}

/** The browser's own: OffscreenCanvas where there is one that encodes, else a canvas. */
export const browserImages: Images<ImageBitmap> = {
  decode: (bytes) => createImageBitmap(new Blob([bytes]), { imageOrientation: 'from-image' }),
  async jpeg(bitmap, width, height, quality) {
    // older WebKit has OffscreenCanvas but no 2d context in it
    const blob =
      (await orNothing(() => offscreen(bitmap, width, height, quality))) ??
      (await onCanvas(bitmap, width, height, quality))
    if (blob.type !== 'image/jpeg') throw new Error('image: not a JPEG')
    return blob.arrayBuffer()
  },
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
