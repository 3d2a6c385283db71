/** Scales down the photos of a report, so that all of them together stay below ten megabytes. */
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'

/** Maximum size of all photos of a report. Texts and font take some hundred kilobytes more. */
export const PHOTOS_MAX_BYTES = 9_000_000
/** Maximum size of one photo, which is enough on half a sheet. */
const PHOTO_MAX_BYTES = 700_000
const LONG_EDGE_PX = 1_600
/** A photo that is too large is scaled down again and again by SMALLER, but not below this long edge. */
const LEAST_EDGE_PX = 480
/** At each step the long edge becomes at most this part of the previous long edge. */
const SMALLER = 0.9
/** Square of the long edge that usually fits into one byte. A photo with more detail is drawn twice, which takes twice the time. */
const PIXELS_PER_BYTE = 6

/** A photo of a report with its texts. */
export interface ReportPhoto {
  key: string
  /** The photo's name in the file store. */
  fileName: string
  /** Description for screen readers. */
  name: string
  captions: readonly string[]
}

/** A JPEG, or why there is none. `absent`: the bytes are not on this device. `broken`: the file is not a picture. */
export type PictureOf = ArrayBuffer | 'absent' | 'broken'

/** Returns a photo scaled down for the report. @param count number of all photos of the report */
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
    // a smaller picture has more bytes for each pixel, but not as many as this leaves free
    const smaller = Math.min(SMALLER, Math.sqrt(budget / drawn.byteLength))
    longEdge = Math.max(LEAST_EDGE_PX, Math.floor(longEdge * smaller))
  }
}
