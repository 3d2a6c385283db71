/** Returns the pixels of a video frame or a picture, scaled down to the size for reading codes. */
import { fitting, type Size } from '#lib/image/image.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'

const FRAME_EDGE_PX = 1_280
/** Long edge of a still picture in px. It exceeds that of a frame, because a code in a photo of a whole room is small. */
const STILL_EDGE_PX = 2_048

/**
 * Returns a function that reads a video's current frame, or returns null if the video has no picture. All frames share
 * one canvas.
 */
export function createFramePixels(): (video: HTMLVideoElement) => ImageData | null {
  const canvas = document.createElement('canvas')
  return (video) => {
    const size = { width: video.videoWidth, height: video.videoHeight }
    return size.width > 0 ? drawn(canvas, video, fitting(size, FRAME_EDGE_PX)) : null
  }
}

/**
 * Reads the pixels of a picked file, within the size limits of photos.
 * @returns null if the file is not a picture or is too large
 */
export async function pixelsOfFile(file: Blob, jobs: Pick<PhotoJobs, 'thumb'>): Promise<ImageData | null> {
  const jpeg = await jobs.thumb(file, STILL_EDGE_PX).catch(() => undefined)
  if (!jpeg) return null
  const picture = await createImageBitmap(new Blob([jpeg]))
  const canvas = document.createElement('canvas')
  try {
    return drawn(canvas, picture, picture)
  } finally {
    picture.close()
    canvas.width = canvas.height = 0
  }
}

function drawn(
  canvas: HTMLCanvasElement,
  picture: CanvasImageSource,
  { width, height }: Size,
): ImageData | null {
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return null
  context.drawImage(picture, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}
