/** Reads the size of an image from its header: PNG, JPEG, WebP, HEIC, AVIF, GIF. */
import { imageDimensionsFromData } from 'image-dimensions'

export type ImageSize = { width: number; height: number; type: string }

/** The library copies its input, so it first gets this many bytes, which hold nearly every PNG's and JPEG's size. */
const HEAD_BYTES = 128 * 1024
const SIZE_IN_HEAD = ['png', 'jpeg']

/** Never throws. @returns null if the header has no valid size */
export function imageSize(bytes: ArrayBuffer): ImageSize | null {
  const head = read(new Uint8Array(bytes, 0, Math.min(HEAD_BYTES, bytes.byteLength)))
  const size = head && SIZE_IN_HEAD.includes(head.type) ? head : read(new Uint8Array(bytes))
  return size && size.width > 0 && size.height > 0 ? size : null
}

export const pixelsIn = ({ width, height }: { width: number; height: number }) => width * height

/** True if the header is valid and the image has at most `maxPixels` pixels, so that decoding it is safe. */
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
