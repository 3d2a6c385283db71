/** Reads, prepares and draws up to three photos at a time, with a limit of decoded pixels (4 bytes each). */
import { readExif } from './exif.ts'
import {
  embeddedThumb,
  preparePhoto,
  thumbnail,
  type Images,
  type PhotoFile,
  type PrepareOptions,
} from './image.ts'
import { pixelsIn } from './image-size.ts'
import { READ_LIMIT_MS, readInTime } from './read-in-time.ts'

const AT_ONCE = 3
/** Maximum number of decoded pixels: two photos of 12 megapixels and a margin. A larger photo is decoded alone. */
const DECODED_PIXELS_MAX = 26_000_000
/** Number of bytes at the beginning of a file. They include a JPEG's EXIF segment, which has at most 64 kB. */
const HEAD_BYTES = 128 * 1024

export type PhotoJobs = ReturnType<typeof createPhotoJobs>

/** @param readMs a job fails if its file takes longer to read, so that other jobs can run */
export function createPhotoJobs<B>(images: Images<B>, readMs = READ_LIMIT_MS) {
  const slots = createWeightedSemaphore(AT_ONCE)
  const bounded = withBudget(images)
  const withSlot = async <T>(file: Blob, run: (photo: PhotoFile) => Promise<T>): Promise<T> => {
    const release = await slots.take(1)
    try {
      return await run({ file, bytes: await readInTime(file, readMs) })
    } finally {
      release()
    }
  }
  return {
    warm: async (): Promise<void> => undefined,
    /** Returns the thumbnail embedded in the file, without waiting for other jobs; undefined if there is none. */
    glance: async (file: Blob) => embeddedThumb(await file.slice(0, HEAD_BYTES).arrayBuffer(), readExif),
    prepare: (file: Blob, options: PrepareOptions) =>
      withSlot(file, (photo) => preparePhoto(photo, bounded, readExif, options)),
    /** Draws a photo at a reduced size (default: a thumbnail's); undefined if it is too large or cannot be drawn. */
    thumb: (file: Blob, longEdge?: number) =>
      withSlot(file, (photo) => thumbnail(photo, bounded, readExif, longEdge)),
  }
}

/** Limits the number of pixels that are decoded at a time. A picture's pixels count until it is closed. */
function withBudget<B>(images: Images<B>): Images<B> {
  const slots = createWeightedSemaphore(DECODED_PIXELS_MAX)
  const releases = new Map<B, () => void>()
  return {
    ...images,
    async decode(picture) {
      const release = await slots.take(pixelsIn(picture.size))
      try {
        const bitmap = await images.decode(picture)
        releases.set(bitmap, release)
        return bitmap
      } catch (error) {
        release()
        throw error
      }
    },
    close(bitmap) {
      images.close(bitmap)
      releases.get(bitmap)?.()
      releases.delete(bitmap)
    },
  }
}

/** Limits the sum of the amounts in use to `total`, in the order of calls. A larger amount waits to be alone. */
export function createWeightedSemaphore(total: number) {
  let used = 0
  const waiting: { amount: number; start: () => void }[] = []
  const startNext = () => {
    const first = waiting[0]
    if (!first || (used > 0 && used + first.amount > total)) return
    waiting.shift()
    used += first.amount
    first.start()
    startNext()
  }
  return {
    take: (amount: number) =>
      new Promise<() => void>((resolve) => {
        const release = () => {
          used -= amount
          startNext()
        }
        waiting.push({ amount, start: () => resolve(release) })
        startNext()
      }),
  }
}
