/** The photos of a report, made small enough: all of them together stay below ten megabytes. */
import type { PhotoBytesTable } from '#data/photo-bytes.ts'
import { PHOTO_MAX_PIXELS, PHOTO_WHOLE_MAX_PIXELS } from '#schemas/limits.ts'
import { imageSize } from '#lib/image/image-size.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'
import type { Picture } from './pdf/pictures.ts'

/** Of all photos of a report; texts and letters need some hundred kilobytes more. */
export const PHOTOS_MAX_BYTES = 9_000_000
/** One photo needs no more than this to be legible on half a sheet. */
const PHOTO_MAX_BYTES = 900_000
/** Tried in this order until a photo is small enough; the last one counts whatever it weighs. */
const LONG_EDGES_PX = [1_600, 1_200, 900, 640, 480]
const LIMITS = { maxPixels: PHOTO_MAX_PIXELS, maxWhole: PHOTO_WHOLE_MAX_PIXELS }

/** A photo as the report names it. */
export interface ReportPhoto {
  key: string
  /** What it shows, for those who listen. */
  name: string
  captions: readonly string[]
}

/** absent: its bytes are not on this device; broken: it cannot be drawn. */
export type PictureOf = { kind: 'picture'; picture: Picture } | { kind: 'absent' | 'broken' }

type Drawn = Pick<PhotoJobs, 'thumb'>

/** @param count of all photos of the report */
export async function pictureOf(
  { key, name, captions }: ReportPhoto,
  count: number,
  { bytes, jobs }: { bytes: Pick<PhotoBytesTable, 'get'>; jobs: Drawn },
): Promise<PictureOf> {
  const whole = await bytes.get(key)
  if (!whole) return { kind: 'absent' }
  const budget = Math.min(PHOTO_MAX_BYTES, PHOTOS_MAX_BYTES / count)
  const jpeg = await smallEnough(new Blob([whole]), budget, jobs)
  const size = jpeg && imageSize(jpeg)
  if (!jpeg || size?.type !== 'jpeg') return { kind: 'broken' }
  const { width, height } = size
  return { kind: 'picture', picture: { jpeg: new Uint8Array(jpeg), width, height, name, captions } }
}

async function smallEnough(file: Blob, budget: number, jobs: Drawn): Promise<ArrayBuffer | undefined> {
  let drawn: ArrayBuffer | undefined
  for (const longEdge of LONG_EDGES_PX) {
    drawn = await jobs.thumb(file, { ...LIMITS, longEdge })
    if (!drawn || drawn.byteLength <= budget) return drawn
  }
  return drawn
}
