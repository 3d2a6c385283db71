/** The photos of a report, made small enough: all of them together stay below ten megabytes. */
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { PHOTO_MAX_PIXELS, PHOTO_WHOLE_MAX_PIXELS } from '#schemas/limits.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'

/** Of all photos of a report; texts and letters take some hundred kilobytes more. */
export const PHOTOS_MAX_BYTES = 9_000_000
/** One photo needs no more than this to be legible on half a sheet. */
const PHOTO_MAX_BYTES = 700_000
const LONG_EDGE_PX = 1_600
/** A photo is drawn smaller and smaller until it fits, but not below this. */
const LEAST_EDGE_PX = 480
/** The next long edge is at most this part of the last one. */
const SMALLER = 0.9
/** Long edges squared that usually fit into a byte. A photo with more detail is drawn twice, which takes twice the time. */
const PIXELS_PER_BYTE = 6
const LIMITS = { maxPixels: PHOTO_MAX_PIXELS, maxWhole: PHOTO_WHOLE_MAX_PIXELS }

/** A photo as the report names it. */
export interface ReportPhoto {
  key: string
  /** The name that the file store has, or will have. */
  fileName: string
  /** What it shows, for those who listen. */
  name: string
  captions: readonly string[]
}

/** A JPEG; absent: its bytes are not on this device; broken: it cannot be drawn. */
export type PictureOf = ArrayBuffer | 'absent' | 'broken'

/** @param count of all photos of the report */
export async function pictureOf(
  key: string,
  count: number,
  { bytes, jobs }: { bytes: Pick<PhotoBytesTable, 'get'>; jobs: Pick<PhotoJobs, 'thumb'> },
): Promise<PictureOf> {
  const whole = await bytes.get(key)
  if (!whole) return 'absent'
  const file = new Blob([whole])
  const budget = Math.min(PHOTO_MAX_BYTES, PHOTOS_MAX_BYTES / count)
  let longEdge = Math.min(LONG_EDGE_PX, Math.round(Math.sqrt(budget * PIXELS_PER_BYTE)))
  for (;;) {
    const drawn = await jobs.thumb(file, { ...LIMITS, longEdge })
    if (!drawn) return 'broken'
    if (drawn.byteLength <= budget || longEdge <= LEAST_EDGE_PX) return drawn
    // a smaller picture has more bytes for each pixel, but not as many as this leaves free
    const smaller = Math.min(SMALLER, Math.sqrt(budget / drawn.byteLength))
    longEdge = Math.max(LEAST_EDGE_PX, Math.floor(longEdge * smaller))
  }
}
