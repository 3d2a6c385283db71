/** The size of an image as its header says it, before anything is decoded: PNG, JPEG, WebP, HEIC, AVIF, GIF. */
import { imageDimensionsFromData } from 'image-dimensions'

export interface ImageSize {
  width: number
  height: number
  /** By its content, never by its name: `png`, `jpeg`, `webp`, `heic`, … */
  type: string
}

/** The library copies what it is given: a PNG or a JPEG tells its size in its beginning, most by far within this. */
const HEAD_BYTES = 128 * 1024
const TOLD_BY_HEAD = ['png', 'jpeg']

/** @returns null where the header says no size, or none that an image can have; never throws */
export function imageSize(bytes: ArrayBuffer): ImageSize | null {
  const head = read(new Uint8Array(bytes, 0, Math.min(HEAD_BYTES, bytes.byteLength)))
  const size = head && TOLD_BY_HEAD.includes(head.type) ? head : read(new Uint8Array(bytes))
  return size && size.width > 0 && size.height > 0 ? size : null
}

export const pixelsIn = ({ width, height }: { width: number; height: number }) => width * height

/** Whether a browser may be given these bytes to decode. */
export function mayDecode(bytes: ArrayBuffer, maxPixels: number): boolean {
  const size = imageSize(bytes)
  return size !== null && pixelsIn(size) <= maxPixels
}

function read(bytes: Uint8Array): ImageSize | null {
  try {
    return imageDimensionsFromData(bytes) ?? null
  } catch {
    return null
  }
}
