/** Scales down the photos of a report, so that the PDF stays below ten megabytes. */
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'

/** Maximum size of all photos of a report in bytes. Texts and font add some hundred kilobytes. */
export const PHOTOS_MAX_BYTES = 9_000_000
/** Maximum size of one photo in bytes, which is sharp enough for half a sheet. */
const PHOTO_MAX_BYTES = 700_000
const LONG_EDGE_PX = 1_600
/** Smallest long edge in px. A photo is not scaled down further, even if it exceeds its share of bytes. */
const LEAST_EDGE_PX = 480
/** Each further attempt scales the long edge by at most this factor. */
const SMALLER = 0.9
/**
 * A usual JPEG of n bytes has a long edge of √(n × PIXELS_PER_BYTE) px. A photo with more detail has more bytes and is
 * scaled down again.
 */
const PIXELS_PER_BYTE = 6

export interface ReportPhoto {
  key: string
  /** The photo's name in the file store. */
  fileName: string
  /** Description for screen readers. */
  name: string
  captions: readonly string[]
}

/** A JPEG, or the reason for its absence. `absent`: the bytes are not on the device. `broken`: the file is not a picture. */
export type PictureOf = ArrayBuffer | 'absent' | 'broken'

/** Returns a photo, scaled down for a report. @param count number of photos in the report */
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
    const drawn = await jobs.thumb(file, longEdge)
    if (!drawn) return 'broken'
    if (drawn.byteLength <= budget || longEdge <= LEAST_EDGE_PX) return drawn
    // Scales the area by `budget / byteLength`. The photo does not become too small, because half of the area needs
    // more than half of the bytes.
    const smaller = Math.min(SMALLER, Math.sqrt(budget / drawn.byteLength))
    longEdge = Math.max(LEAST_EDGE_PX, Math.floor(longEdge * smaller))
  }
}
