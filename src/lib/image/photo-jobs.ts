/**
 * Runs photo work as jobs, in the worker or on the page: at most three at a time. The decoded pixels are limited, so
 * that usually two photos are decoded while a third is read or encoded. A decoded pixel takes 4 bytes.
 */
import { readEmbedded, readExif } from './exif.ts'
import {
  embeddedThumb,
  preparePhoto,
  thumbnail,
  type Images,
  type PhotoFile,
  type PreparedPhoto,
  type PrepareOptions,
  type ThumbOptions,
} from './image.ts'
import { pixelsIn } from './image-size.ts'
import { READ_LIMIT_MS, readInTime } from './read-in-time.ts'

const AT_ONCE = 3
/** Maximum of pixels decoded at once: two photos of 12 megapixels and a margin. Larger ones are decoded one at a time. */
const DECODED_PIXELS_MAX = 26_000_000
/** A JPEG's EXIF segment is at its beginning and has at most 64 kB. */
const HEAD_BYTES = 128 * 1024

export interface PhotoJobs {
  /** Preloads what photo jobs need. */
  warm(): Promise<void>
  /** Returns the embedded thumbnail without waiting for other jobs; undefined if there is none. */
  glance(file: Blob): Promise<ArrayBuffer | undefined>
  prepare(file: Blob, options: PrepareOptions): Promise<PreparedPhoto>
  /** Undefined if the photo is too large or cannot be drawn. */
  thumb(file: Blob, options: ThumbOptions): Promise<ArrayBuffer | undefined>
}

/** @param readMs a job whose file is not read by then fails and frees its place */
export function createPhotoJobs<B>(images: Images<B>, readMs = READ_LIMIT_MS): PhotoJobs {
  const slots = createWeightedSemaphore(AT_ONCE)
  const bounded = withBudget(images)
  const withSlot = async <T>(file: Blob, run: (photo: PhotoFile) => Promise<T>): Promise<T> => {
    const back = await slots.take(1)
    try {
      return await run({ file, bytes: await readInTime(file, readMs) })
    } finally {
      back()
    }
  }
  return {
    warm: async () => undefined,
    glance: async (file) => embeddedThumb(await file.slice(0, HEAD_BYTES).arrayBuffer(), readEmbedded),
    prepare: (file, options) => withSlot(file, (photo) => preparePhoto(photo, bounded, readExif, options)),
    thumb: (file, options) => withSlot(file, (photo) => thumbnail(photo, bounded, readExif, options)),
  }
}

/** Counts decoded pixels until the picture is closed. */
function withBudget<B>(images: Images<B>): Images<B> {
  const slots = createWeightedSemaphore(DECODED_PIXELS_MAX)
  const releases = new Map<B, () => void>()
  return {
    ...images,
    async decode(picture) {
      const back = await slots.take(pixelsIn(picture.size))
      try {
        const bitmap = await images.decode(picture)
        releases.set(bitmap, back)
        return bitmap
      } catch (error) {
        back()
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

/** Limits the amount in use to `total`, first come first served. A request for more than `total` runs alone. */
interface WeightedSemaphore {
  /** Resolves when the amount is available. @returns releases it */
  take(amount: number): Promise<() => void>
}

export function createWeightedSemaphore(total: number): WeightedSemaphore {
  let used = 0
  const line: { amount: number; go: () => void }[] = []
  const next = () => {
    const first = line[0]
    if (!first || (used > 0 && used + first.amount > total)) return
    line.shift()
    used += first.amount
    first.go()
    next()
  }
  return {
    take: (amount) =>
      new Promise((resolve) => {
        const back = () => {
          used -= amount
          next()
        }
        line.push({ amount, go: () => resolve(back) })
        next()
      }),
  }
}
